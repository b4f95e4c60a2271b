package org.heddle.plan.model;

import java.time.Instant;

/**
 * Something that happened.
 *
 * @param id ascending; 0 until it is stored
 * @param owner the tenant it belongs to, which sees only its own events; empty for the provider's
 * @param epoch the desired epoch when it happened
 */
public record Event(
    long id, Instant at, EventKind kind, String subject, String owner, String text, long epoch) {}
