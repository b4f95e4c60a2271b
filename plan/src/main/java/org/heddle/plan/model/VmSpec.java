package org.heddle.plan.model;

/**
 * A request to start a virtual machine.
 *
 * @param host node GUID of the host to run on
 * @param ownLid false to be reached at the host's LID, which changes with every move
 * @param weight its share of the host's link relative to other machines there, 1 or more
 */
public record VmSpec(String name, String tenant, long host, boolean ownLid, int weight) {}
