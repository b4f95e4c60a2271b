/**
 * The allocators, one class each, found through the catalog and named by nobody: {@link
 * org.heddle.allocation.allocator.Exact} takes no more than is needed, {@link
 * org.heddle.allocation.allocator.Laas}, {@link org.heddle.allocation.allocator.Simple} and {@link
 * org.heddle.allocation.allocator.SimpleExtended} are the schemes of the paper, {@link
 * org.heddle.allocation.allocator.Unconstrained} gives hosts without links. What they share is in
 * {@code allocation.search}.
 */
package org.heddle.allocation.allocator;
