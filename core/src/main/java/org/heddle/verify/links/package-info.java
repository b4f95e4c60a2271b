/**
 * Proofs about links of their own: that an allocation keeps its conditions and that routes stay
 * inside.
 */
package org.heddle.verify.links;
