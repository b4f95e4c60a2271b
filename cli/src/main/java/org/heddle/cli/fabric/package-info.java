/** The commands {@code heddle fabric ...}: making, looking at and converting fabric files. */
package org.heddle.cli.fabric;
