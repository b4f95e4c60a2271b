package org.heddle.fabric;

/**
 * One node, for messages and reports; algorithms use the primitive accessors of {@link Fabric}.
 *
 * @param id dense id, valid in this snapshot only
 */
public record NodeView(
    int id, NodeType type, long guid, long systemGuid, String description, int portCount) {

  /** The description if there is one, and the GUID: unambiguous even where descriptions repeat. */
  public String display() {
    return description.isEmpty()
        ? Guid.format(guid)
        : "'" + description + "' (" + Guid.format(guid) + ")";
  }
}
