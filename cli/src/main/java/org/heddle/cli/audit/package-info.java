/** {@code heddle audit} and {@code heddle trace}: proofs about finished tables, and their words. */
package org.heddle.cli.audit;
