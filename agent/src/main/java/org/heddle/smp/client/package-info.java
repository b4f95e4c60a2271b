/** Requests and answers: one {@code SmpClient} with a bounded window, timers and retries. */
package org.heddle.smp.client;
