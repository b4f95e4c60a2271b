package org.heddle.routing;

/** Parts of a {@link RoutingRequest} that only some engines use. */
public enum RoutingOption {
  /** {@link RoutingRequest#hostOrder()}. */
  HOST_ORDER,

  /** The partitions of {@link RoutingRequest#tenancy()}. */
  PARTITIONS,

  /** The isolation policies of {@link RoutingRequest#tenancy()}, where they decide routes. */
  POLICIES,

  /** The weights of the members of {@link RoutingRequest#tenancy()}. */
  WEIGHTS,

  /** {@link RoutingRequest#isolation()}. */
  ISOLATION
}
