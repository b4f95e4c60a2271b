package org.heddle.plan.model;

/**
 * A host across epochs.
 *
 * @param guid its node GUID
 * @param name its description at the time it was assigned, for people
 */
public record HostRef(long guid, String name) {}
