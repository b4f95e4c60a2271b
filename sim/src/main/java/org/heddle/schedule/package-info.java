/**
 * Scheduling simulator: tenants arrive, wait, hold hosts and links for a while, and leave.
 *
 * <p>{@link org.heddle.schedule.Workload} is what arrives (read from a file by the caller, or drawn
 * by {@link org.heddle.schedule.WorkloadGenerator}), {@link org.heddle.schedule.Simulation} runs it
 * through an allocator, {@link org.heddle.schedule.ScheduleResult} is what came of it.
 */
package org.heddle.schedule;
