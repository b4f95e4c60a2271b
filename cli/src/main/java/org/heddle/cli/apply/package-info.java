/** {@code heddle apply} and {@code heddle recover}: tables and partitions into a live fabric. */
package org.heddle.cli.apply;
