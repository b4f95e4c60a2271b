package org.heddle.plan.model;

/**
 * A host across epochs.
 *
 * @param guid its node GUID
 * @param name its description when it was given, for people
 */
public record HostRef(long guid, String name) {}
