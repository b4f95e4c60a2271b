/** Proofs that tenants do not meet: partitions, lanes, shared channels. */
package org.heddle.verify.isolation;
