package org.heddle.fabric;

/** What a node is, as in NodeInfo.NodeType (InfiniBand Architecture 1.4, section 14.2.5.3). */
public enum NodeType {
  SWITCH,
  CA,
  ROUTER
}
