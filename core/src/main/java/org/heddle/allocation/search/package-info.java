/**
 * How allocators look for hosts and links. Only {@code allocation.allocator} uses it.
 *
 * <ul>
 *   <li>Scratch of an attempt: {@link org.heddle.allocation.search.FreeSlots} for hosts, {@link
 *       org.heddle.allocation.search.SearchView} for links and the budget of steps.
 *   <li>On one leaf: {@link org.heddle.allocation.search.OneLeaf}; in one sub-tree: {@link
 *       org.heddle.allocation.search.SubtreeSearch}, by {@code LeafChain}; over several: {@link
 *       org.heddle.allocation.search.MultiSubtreeSearch}, {@code PairwiseLinkSearch}.
 *   <li>Whole searches: {@link org.heddle.allocation.search.ExactSearch}, {@link
 *       org.heddle.allocation.search.SimpleSearch}, {@link
 *       org.heddle.allocation.search.Exhaustive}; hosts only: {@link
 *       org.heddle.allocation.search.HostsOnly}.
 * </ul>
 *
 * <p>Start with {@link org.heddle.allocation.search.ExactSearch}.
 */
package org.heddle.allocation.search;
