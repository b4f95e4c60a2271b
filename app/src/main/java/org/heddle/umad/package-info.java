/**
 * The datagram agent: looks at a fabric and changes it by subnet management packets.
 *
 * <ul>
 *   <li>{@link org.heddle.umad.SmpTransport}: carries packets; {@link
 *       org.heddle.umad.UmadTransport} over libibumad (hardware, and ibsim under its preload
 *       library), {@link org.heddle.umad.IbsimTransport} over ibsim's own protocol.
 *   <li>{@link org.heddle.umad.SmpClient}: requests and answers, with a bounded window, timers and
 *       retries.
 *   <li>{@link org.heddle.umad.FabricDiscovery}, {@link org.heddle.umad.TableAccess}, {@link
 *       org.heddle.umad.PortTables}, {@link org.heddle.umad.LightSweep}: reading.
 *   <li>{@link org.heddle.umad.SmpPlan}, {@link org.heddle.umad.SmpJournal}, {@link
 *       org.heddle.umad.PlanExecutor}: writing, so that a change that stops half way can be
 *       finished or undone.
 * </ul>
 */
package org.heddle.umad;
