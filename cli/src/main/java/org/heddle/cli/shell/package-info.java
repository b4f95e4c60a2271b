/**
 * What all commands share: reading inputs, writing outputs whole or not at all, the terminal, exit
 * codes. The only package of the command line that touches files and streams.
 */
package org.heddle.cli.shell;
