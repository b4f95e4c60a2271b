/** Commands that move virtual machines: {@code heddle migrate}. */
package org.heddle.cli.migrate;
