/** One class an allocator, found through the catalog, and the searches they share. */
package org.heddle.allocation.allocator;
