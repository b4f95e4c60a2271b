/**
 * A subnet in a process: the management agents of all nodes of a fabric, and the links between
 * them.
 *
 * <p>{@link org.heddle.emulator.Emulator} is the door: programs are attached to ports, send
 * datagrams and get them. Inside, {@code Ports} and {@code NodeTables} hold what the nodes hold, in
 * arrays; {@code Network} carries datagrams over the links; {@code SubnetAgent} and {@code
 * PerformanceAgent} answer; {@code ManagementKeys} decides who may ask; {@code Traps} reports.
 * {@link org.heddle.emulator.PathProbe} follows a data packet through the tables. {@link
 * org.heddle.emulator.EmulatorTransport} lets Heddle's own clients send without sockets, {@link
 * org.heddle.emulator.ibsim.IbsimServer} lets programs of others.
 *
 * <p>Nothing here is for several threads, and nothing reads a clock that was not passed in.
 */
package org.heddle.emulator;
