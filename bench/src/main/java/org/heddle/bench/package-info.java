/** Measurements: JMH benchmarks of the kernels, and the table that compares them with OpenSM. */
package org.heddle.bench;
