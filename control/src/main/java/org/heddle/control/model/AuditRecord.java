package org.heddle.control.model;

import java.time.Instant;

/**
 * A request, whatever its outcome.
 *
 * @param id ascending; 0 until it is stored
 * @param action method and path, or kind of a change
 * @param status of the answer
 */
public record AuditRecord(
    long id, Instant at, String actor, String remote, String action, int status, String note) {}
