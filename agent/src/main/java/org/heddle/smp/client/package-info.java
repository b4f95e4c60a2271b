/**
 * Requests and answers over a transport that may lose either: {@link
 * org.heddle.smp.client.SmpClient} keeps a bounded window of requests, with timers and retries as
 * {@link org.heddle.smp.client.SmpOptions} says. {@link org.heddle.smp.client.SmpRoute} says how a
 * packet gets to its node, {@link org.heddle.smp.client.SmpOutcome} its outcome.
 */
package org.heddle.smp.client;
