/**
 * Proofs from finished tables: reachability, loops, credit loops, balance.
 *
 * <p>Shares no code with engines and allocators and calls none of them. {@link
 * org.heddle.verify.Audit} is the way in, {@link org.heddle.verify.AuditReport} what comes out,
 * {@link org.heddle.verify.AuditCode} the list of findings. Inside: {@code Network} flattens the
 * fabric once; a {@code Sweep} builds the {@code RouteTree} of every LID and adds up what the
 * checks need; {@code ChannelGraph} looks for cycles in the {@code Dependencies} collected; {@code
 * Statistics}, {@code Components} and {@code Findings} write the report.
 */
package org.heddle.verify;
