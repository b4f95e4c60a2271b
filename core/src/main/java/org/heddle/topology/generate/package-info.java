/**
 * Making fabrics, always reproducibly.
 *
 * <ul>
 *   <li>A tree from a specification: {@link org.heddle.topology.generate.TreeSpec}, {@link
 *       org.heddle.topology.generate.TreeGenerator}.
 *   <li>Less of it: {@link org.heddle.topology.generate.FabricDamage} at random by a {@link
 *       org.heddle.topology.generate.DamageSpec}, {@link org.heddle.topology.generate.FabricCut} by
 *       name, {@link org.heddle.topology.generate.FabricWithout} hosts. More: {@link
 *       org.heddle.topology.generate.FabricExtras}.
 *   <li>Cables in other ports, as in real fabrics: {@link
 *       org.heddle.topology.generate.FabricShuffle}. Tests over trees use it, since aligned numbers
 *       hide errors.
 * </ul>
 */
@PublicApi
package org.heddle.topology.generate;

import org.heddle.api.PublicApi;
