/**
 * The controller: it keeps the desired state of a fabric, and brings the fabric to it.
 *
 * <ul>
 *   <li>One writer for all changes; decided, proven and durable before anybody is answered: {@link
 *       org.heddle.control.Controller}. What a change does is worked out in {@code plan}.
 *   <li>The fabric follows: {@link org.heddle.control.Reconciler} looks, compares, writes; a look
 *       ends with a {@link org.heddle.control.PassResult}.
 *   <li>Questions beside the writer: {@code DryRuns}.
 *   <li>Which of several processes leads: {@link org.heddle.control.Succession}.
 *   <li>What people have to know afterwards: {@link org.heddle.control.LogContext}; whether it
 *       fails again and again: {@code FailureStreak}.
 * </ul>
 *
 * <p>The outside is in {@code port}: a store, an agent, a leadership. Start with {@link
 * org.heddle.control.Controller}.
 */
package org.heddle.control;
