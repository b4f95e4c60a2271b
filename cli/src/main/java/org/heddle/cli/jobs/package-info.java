/**
 * {@code heddle jobs}: what a controller was asked for and is still at. {@link
 * org.heddle.cli.jobs.JobsListCommand} and {@link org.heddle.cli.jobs.JobShowCommand} show, {@link
 * org.heddle.cli.jobs.JobWaitCommand} waits, {@link org.heddle.cli.jobs.JobCancelCommand}
 * withdraws; {@code JobPrinter} has the words.
 */
package org.heddle.cli.jobs;
