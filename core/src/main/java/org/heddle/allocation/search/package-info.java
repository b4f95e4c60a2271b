/**
 * How allocators look for hosts and links: the searches behind the plug-ins.
 *
 * <p>Only {@code allocation.allocator} uses it.
 */
package org.heddle.allocation.search;
