package org.heddle.control.model;

import java.time.Instant;

/**
 * Something that happened.
 *
 * @param id ascending; 0 until it is stored
 * @param kind of {@link Change#kind}, or {@code in-sync}, {@code drift}, {@code replanned}, {@code
 *     promise-broken}, {@code promise-restored}, {@code agent-failed}, {@code fabric-changed},
 *     {@code vm-stranded}, {@code vm-restored}
 * @param owner whose it is: a tenant sees its own only; empty for the provider's
 * @param epoch the desired epoch when it happened
 */
public record Event(
    long id, Instant at, String kind, String subject, String owner, String text, long epoch) {}
