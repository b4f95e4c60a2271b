/**
 * {@code heddle apply} and {@code heddle recover}: tables and partitions into a live fabric, by
 * files for OpenSM or by datagrams ({@code DatagramApply}). {@link
 * org.heddle.cli.apply.PartitionCheck} refuses what OpenSM would take for something else; {@link
 * org.heddle.cli.apply.RecoverCommand} finishes or undoes what stopped half way.
 */
package org.heddle.cli.apply;
