/**
 * Work that outlives its request: {@link org.heddle.server.jobs.Jobs} is the queue, {@code
 * JobLedger} where each job is, {@link org.heddle.server.jobs.JobApi} and {@code JobDocument} what
 * is told of it.
 */
package org.heddle.server.jobs;
