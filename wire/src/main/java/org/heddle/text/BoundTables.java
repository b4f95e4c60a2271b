package org.heddle.text;

import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;

/**
 * Forwarding tables of a file together with the fabric they were matched to.
 *
 * @param fabric the fabric with the LIDs the tables speak of; the same object that was given if
 *     nothing differs
 * @param tables one row a switch of that fabric; rows the file lacked are empty
 */
public record BoundTables(Fabric fabric, ForwardingTables tables) {}
