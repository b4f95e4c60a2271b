/**
 * Records of the controller that are not part of a plan: who asks ({@link
 * org.heddle.control.model.Actor}, {@link org.heddle.control.model.Credential}, {@link
 * org.heddle.control.model.Request}), what was answered and written down ({@link
 * org.heddle.control.model.Answer}, {@link org.heddle.control.model.AuditRecord}), and work that
 * outlives its request ({@link org.heddle.control.model.Job}, {@link
 * org.heddle.control.model.Plan}). Immutable. Tenants, changes and events are in {@code
 * plan.model}.
 */
package org.heddle.control.model;
