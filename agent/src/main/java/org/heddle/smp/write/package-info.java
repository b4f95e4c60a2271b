/**
 * Writing into a live fabric so that a change that stops halfway can be finished or undone.
 *
 * <ul>
 *   <li>What is to be sent, in phases: {@link org.heddle.smp.write.SmpPlan} of {@link
 *       org.heddle.smp.write.PlannedSmp}s.
 *   <li>Carrying it out with every answer checked: {@link org.heddle.smp.write.PlanExecutor}; how
 *       far it has come survives a crash in {@link org.heddle.smp.write.SmpJournal}.
 *   <li>Without a journal, for a controller that compares again anyway: {@link
 *       org.heddle.smp.write.TableWriter}, in the order of {@code WriteRanks}.
 * </ul>
 *
 * <p>Start with {@link org.heddle.smp.write.SmpPlan}.
 */
package org.heddle.smp.write;
