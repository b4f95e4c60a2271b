/**
 * Who owns what on a fabric: partitions, their members, and how strictly they are kept apart.
 *
 * <p>Everything here is resolved: members are port ids of one {@link org.heddle.fabric.Fabric}
 * snapshot. Reading and resolving what users write is the business of the text formats.
 */
package org.heddle.tenancy;
