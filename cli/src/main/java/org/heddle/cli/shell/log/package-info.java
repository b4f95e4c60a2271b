/**
 * A server's log: {@link org.heddle.cli.shell.log.LogOutput} writes it, to standard error or a
 * file, {@code LogLines} are its lines as text or JSON, and {@link org.heddle.cli.shell.log.NoLog}
 * is what all other commands have.
 */
package org.heddle.cli.shell.log;
