/**
 * What all HTTP interfaces share. Knows no resource.
 *
 * <ul>
 *   <li>A method and path, and what answers: {@link org.heddle.server.http.Route}; what it gets and
 *       gives: {@link org.heddle.server.http.Call}, {@link org.heddle.server.http.Reply}, or a
 *       {@link org.heddle.server.http.Problem}.
 *   <li>JSON of records: {@link org.heddle.server.http.Documents}; lists in pages: {@link
 *       org.heddle.server.http.Pages}; conditions of versions: {@link
 *       org.heddle.server.http.Conditions}; hosts by name: {@link org.heddle.server.http.Hosts}.
 *   <li>Against what is hostile or slow: {@link org.heddle.server.http.Origins}, {@link
 *       org.heddle.server.http.Rates}, {@link org.heddle.server.http.SlowRequests}, {@link
 *       org.heddle.server.http.ErrorAnswers}; certificates: {@link org.heddle.server.http.Tls}.
 * </ul>
 *
 * <p>Start with {@link org.heddle.server.http.Route}.
 */
package org.heddle.server.http;
