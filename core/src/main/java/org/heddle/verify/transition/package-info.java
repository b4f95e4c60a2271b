/** Proofs about the time between two sets of tables. */
package org.heddle.verify.transition;
