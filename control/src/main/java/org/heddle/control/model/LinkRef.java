package org.heddle.control.model;

/** A link between two switches across epochs: node GUID and port of the lower, the upper end. */
public record LinkRef(long from, int port, long to, int toPort) {}
