/**
 * The datagram agent: looks at a fabric and changes it by subnet management packets.
 *
 * <ul>
 *   <li>{@link org.heddle.smp.transport.SmpTransport}: carries packets; {@link
 *       org.heddle.smp.transport.UmadTransport} over libibumad (hardware, and ibsim under its
 *       preload library), {@link org.heddle.smp.transport.IbsimTransport} over ibsim's own
 *       protocol.
 *   <li>{@link org.heddle.smp.client.SmpClient}: requests and answers, with a bounded window,
 *       timers and retries.
 *   <li>{@link org.heddle.smp.discover.FabricDiscovery}, {@link
 *       org.heddle.smp.discover.TableAccess}, {@link org.heddle.smp.discover.PortTables}, {@link
 *       org.heddle.smp.discover.LightSweep}: reading.
 *   <li>{@link org.heddle.smp.write.SmpPlan}, {@link org.heddle.smp.write.SmpJournal}, {@link
 *       org.heddle.smp.write.PlanExecutor}: writing, so that a change that stops halfway can be
 *       finished or undone.
 * </ul>
 */
package org.heddle.smp;
