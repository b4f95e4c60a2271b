/**
 * The command line: what {@code heddle} does with its words.
 *
 * <p>One class a command; the package path is the command path ({@code cli.fabric.GenerateCommand}
 * is {@code heddle fabric generate}). Commands read, call other modules, print; they should decide
 * nothing themselves.
 *
 * <ul>
 *   <li>From words to an exit code: {@link org.heddle.cli.Main}, then {@code CommandRunner}; {@code
 *       HeddleCommand} lists the commands.
 *   <li>Files, streams, terminal: {@code cli.shell}. Calls to a controller: {@code cli.remote}.
 * </ul>
 *
 * <p>Start with {@code RouteCommand}, which is short and goes the whole way.
 */
package org.heddle.cli;
