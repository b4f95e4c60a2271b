/**
 * {@code heddle serve} and what belongs to a controller's host: where parts are put together.
 *
 * <ul>
 *   <li>Settings of file and command line: {@code ServeSettings}, which also makes store,
 *       leadership and agent.
 *   <li>What runs while the process leads or stands by: {@code ServeParts}.
 *   <li>Backups: {@link org.heddle.cli.serve.ServeBackupCommand}, {@link
 *       org.heddle.cli.serve.ServeRestoreCommand}; the first token: {@link
 *       org.heddle.cli.serve.TokenCommand}.
 * </ul>
 *
 * <p>Start with {@link org.heddle.cli.serve.ServeCommand}.
 */
package org.heddle.cli.serve;
