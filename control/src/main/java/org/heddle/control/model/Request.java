package org.heddle.control.model;

/**
 * Who requests a change, and under which key.
 *
 * @param key empty, or what makes a second request of the same actor the same one
 * @param digest of the request's content: a key with another digest is refused
 * @param dryRun true to learn the outcome and change nothing
 */
public record Request(Actor actor, String key, String digest, boolean dryRun) {
  /** Without a key. */
  public static Request of(Actor actor) {
    return new Request(actor, "", "", false);
  }
}
