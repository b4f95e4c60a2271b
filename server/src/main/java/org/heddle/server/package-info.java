/**
 * The HTTP interface of the controller, put together.
 *
 * <ul>
 *   <li>The server and the list of all routes: {@link org.heddle.server.HttpServer}; what a process
 *       answers while another leads: {@link org.heddle.server.StandbyServer}.
 *   <li>The description of the interface: {@code OpenApi}.
 *   <li>For those who run it: {@code Operations}, {@code Metrics}, {@code RequestAudit}, {@code
 *       RequestIds}, {@code RateLimits}.
 * </ul>
 *
 * <p>Resources are in {@code v1}, what they share in {@code http}. Start with {@link
 * org.heddle.server.HttpServer}.
 */
package org.heddle.server;
