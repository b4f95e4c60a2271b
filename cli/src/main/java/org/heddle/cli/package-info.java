/**
 * The command line.
 *
 * <p>One class a command; the package path is the command path ({@code cli.fabric.GenerateCommand}
 * is {@code heddle fabric generate}). Commands read, call the core, print; they decide nothing
 * themselves.
 */
package org.heddle.cli;
