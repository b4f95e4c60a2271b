/**
 * Proofs from finished tables: reachability, loops, credit loops, balance.
 *
 * <p>Shares no code with engines and allocators and calls none of them.
 */
package org.heddle.verify;
