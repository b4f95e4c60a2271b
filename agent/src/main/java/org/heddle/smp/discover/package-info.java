/**
 * Reading a fabric by management packets.
 *
 * <ul>
 *   <li>What is there: {@link org.heddle.smp.discover.FabricDiscovery} gives a {@link
 *       org.heddle.smp.discover.DiscoveredFabric}; {@code LinkRates} and {@code Fdr10Check} find
 *       widths and speeds.
 *   <li>Has it changed? {@link org.heddle.smp.discover.LightSweep} between readings, {@link
 *       org.heddle.smp.discover.FabricWatch} while something else is waited for; {@link
 *       org.heddle.smp.discover.FabricMatch} says whether it is the one that tables were made for.
 *   <li>What its devices hold: {@link org.heddle.smp.discover.TableAccess} forwarding tables,
 *       {@link org.heddle.smp.discover.PortTables} keys and lanes, {@link
 *       org.heddle.smp.discover.AliasGuids} vGUIDs.
 * </ul>
 *
 * <p>Start with {@link org.heddle.smp.discover.FabricDiscovery}.
 */
package org.heddle.smp.discover;
