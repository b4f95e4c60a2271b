package org.heddle.plan;

import java.util.Optional;

/**
 * Whose tables the tenants' own lie over.
 *
 * @param wanted name of the engine that was chosen
 * @param used name of the engine that made them: another one where tenants with policy {@code phy}
 *     are kept apart, and where a fall-back is in force
 * @param fallback why that is, a sentence; empty if none is in force
 */
public record EngineInForce(String wanted, String used, Optional<String> fallback) {}
