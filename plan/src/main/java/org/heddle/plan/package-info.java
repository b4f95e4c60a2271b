/**
 * What a fabric should be, and what a change does to it.
 *
 * <p>Pure: no port, no clock, no thread. The controller gives it a state and a change and gets the
 * next state, or a refusal.
 */
package org.heddle.plan;
