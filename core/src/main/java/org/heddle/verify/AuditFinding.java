package org.heddle.verify;

import java.util.List;

/**
 * A finding of one kind, with its count and some examples.
 *
 * @param code stable key of {@link AuditCode}, kebab-case
 * @param severity how bad it is
 * @param message one sentence for people
 * @param count how many there are; what is counted is the subject of the message
 * @param examples the first few, one sentence or path each, naming nodes, GUIDs and ports
 */
public record AuditFinding(
    String code, Severity severity, String message, long count, List<String> examples) {
  public AuditFinding {
    examples = List.copyOf(examples);
  }
}
