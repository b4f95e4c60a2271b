package org.heddle.control.model;

import java.time.Instant;

/**
 * The outcome remembered for a key.
 *
 * @param actor the owner of the key
 * @param epoch epoch that the request made
 * @param tenant name of the tenant it made or changed; empty for none
 */
public record Answer(
    String actor, String key, String digest, long epoch, String tenant, Instant at) {}
