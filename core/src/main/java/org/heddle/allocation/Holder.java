package org.heddle.allocation;

/**
 * A tenant and what it holds, for advice about others.
 *
 * @param name as the operator knows it
 */
public record Holder(String name, Allocation allocation) {}
