/**
 * The routing engines, one class each, found through the catalog and named by nobody.
 *
 * <ul>
 *   <li>Any fabric: {@link org.heddle.routing.engine.MinHop}, {@link
 *       org.heddle.routing.engine.UpDown}.
 *   <li>Trees: {@link org.heddle.routing.engine.FTree} counts, {@link
 *       org.heddle.routing.engine.DModK} computes, {@link org.heddle.routing.engine.NoFTree} takes
 *       an order, {@link org.heddle.routing.engine.VSwitchFTree} weighs virtual machines.
 *   <li>Trees with tenants: {@link org.heddle.routing.engine.PFTree}, {@link
 *       org.heddle.routing.engine.PFTreeExt}, {@link org.heddle.routing.engine.PFTreeWt}, {@link
 *       org.heddle.routing.engine.PFTreeMix}.
 *   <li>By rank: {@link org.heddle.routing.engine.MetabaseRouting}, {@link
 *       org.heddle.routing.engine.MetabaseRank}.
 * </ul>
 *
 * <p>Start with {@link org.heddle.routing.engine.DModK}: it is short, and all tree engines have its
 * form.
 */
package org.heddle.routing.engine;
