/**
 * The controller: it keeps the desired state of a fabric, and brings the fabric to it.
 *
 * <ul>
 *   <li>One writer for all changes; each is decided, proven and stored before anybody is answered:
 *       {@link org.heddle.control.Controller}. {@code plan} works out what a change does.
 *   <li>The fabric follows: {@link org.heddle.control.Reconciler} looks, compares, writes; a look
 *       ends with a {@link org.heddle.control.PassResult}.
 *   <li>Dry runs beside the writer: {@code DryRuns}.
 *   <li>Which of several processes leads: {@link org.heddle.control.LeaderElection}.
 *   <li>What the log says of a piece of work: {@link org.heddle.control.LogContext}; whether work
 *       fails again and again: {@code FailureStreak}.
 * </ul>
 *
 * <p>The outside is in {@code port}: a store, an agent, a leadership. Start with {@link
 * org.heddle.control.Controller}.
 */
package org.heddle.control;
