/**
 * The controller's own interface, version 1: one class a resource, each with its routes and the
 * records that it answers.
 *
 * <ul>
 *   <li>Tenants, events, journal: {@link org.heddle.server.v1.ApiV1}; files of them: {@link
 *       org.heddle.server.v1.ExportApi}, by {@code StateExchange}.
 *   <li>The fabric: {@link org.heddle.server.v1.InventoryApi}, {@link
 *       org.heddle.server.v1.NodeApi}; out of service: {@link org.heddle.server.v1.ServiceApi}.
 *   <li>Machines: {@link org.heddle.server.v1.VmApi}, {@link org.heddle.server.v1.MigrationApi}.
 *       Plans: {@link org.heddle.server.v1.PlanApi}. Streams: {@link
 *       org.heddle.server.v1.EventFeed}, {@link org.heddle.server.v1.EventStreams}.
 *   <li>Who asks: {@link org.heddle.server.v1.SessionApi}, {@link org.heddle.server.v1.AccountApi}.
 *       The paths of the LaaS paper: {@link org.heddle.server.v1.LaasApi}.
 * </ul>
 *
 * <p>Start with {@link org.heddle.server.v1.SessionApi}, which is the smallest.
 */
package org.heddle.server.v1;
