/**
 * Proofs from finished tables: reachability, loops, credit loops, balance. Shares no code with
 * engines and allocators and calls none of them.
 *
 * <ul>
 *   <li>The entry point: {@link org.heddle.verify.Audit}; the result: {@link
 *       org.heddle.verify.AuditReport}; the list of findings: {@link org.heddle.verify.AuditCode}.
 *   <li>One route, hop by hop: {@link org.heddle.verify.RouteTrace}. Load of every channel: {@link
 *       org.heddle.verify.ChannelLoad}.
 *   <li>The same proof from the differences only, for a controller: {@link
 *       org.heddle.verify.ProvenTables}.
 *   <li>Tenants do not meet: {@code isolation}; links of their own: {@code links}; the states
 *       between two sets of tables: {@code transition}.
 * </ul>
 *
 * <p>Inside: {@link org.heddle.verify.Network} flattens the fabric once; a {@link
 * org.heddle.verify.Sweep} builds the {@link org.heddle.verify.RouteTree} of every LID and adds up
 * what the checks need; {@link org.heddle.verify.ChannelGraph} looks for cycles in the {@link
 * org.heddle.verify.Dependencies} collected; {@code Statistics}, {@code Components} and {@code
 * Findings} write the report. Start with {@link org.heddle.verify.Audit}.
 */
@PublicApi
package org.heddle.verify;

import org.heddle.api.PublicApi;
