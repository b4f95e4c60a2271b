/**
 * {@code heddle emulate}: a subnet in a process. {@link org.heddle.cli.emulate.EmulateCommand} is
 * the command, {@code Script} carries out what it is told by lines.
 */
package org.heddle.cli.emulate;
