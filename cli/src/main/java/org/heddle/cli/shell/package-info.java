/**
 * What all commands share, and the only package of the command line that touches files and streams.
 *
 * <ul>
 *   <li>A command and its run: {@link org.heddle.cli.shell.ShellCommand}, {@link
 *       org.heddle.cli.shell.Session}, {@link org.heddle.cli.shell.ExitCode}, {@link
 *       org.heddle.cli.shell.Failure}.
 *   <li>Inputs: {@link org.heddle.cli.shell.Inputs}, {@link org.heddle.cli.shell.FabricFiles},
 *       {@link org.heddle.cli.shell.TableFiles}, {@link org.heddle.cli.shell.TenantsFiles}, {@link
 *       org.heddle.cli.shell.VmFiles}.
 *   <li>Outputs, whole or not at all: {@link org.heddle.cli.shell.Outputs}; locks of files that are
 *       read, changed and replaced: {@code Locks}.
 *   <li>What people see: {@link org.heddle.cli.shell.Terminal}, {@link
 *       org.heddle.cli.shell.TextTable}, {@link org.heddle.cli.shell.Progress}, {@link
 *       org.heddle.cli.shell.Suggestions}; what programs see: {@link org.heddle.cli.shell.Json}.
 *   <li>Names of plug-ins: {@link org.heddle.cli.shell.Engines}, {@link
 *       org.heddle.cli.shell.Allocators}; words that shells complete: {@link
 *       org.heddle.cli.shell.Choices}.
 *   <li>A fabric by datagrams: {@link org.heddle.cli.shell.Datagrams}, {@link
 *       org.heddle.cli.shell.WritingDatagrams}. A server's log: {@link
 *       org.heddle.cli.shell.log.LogOutput}.
 * </ul>
 *
 * <p>Start with {@link org.heddle.cli.shell.ShellCommand}.
 */
package org.heddle.cli.shell;
