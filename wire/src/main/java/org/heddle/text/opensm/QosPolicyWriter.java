package org.heddle.text.opensm;

import java.nio.charset.StandardCharsets;
import org.heddle.text.Parsed;
import org.heddle.text.Source;

/**
 * Writes a QoS policy in OpenSM's full form, one keyword a line. The text is read back by {@link
 * QosPolicyReader} before it is returned.
 */
public final class QosPolicyWriter {
  private QosPolicyWriter() {}

  /**
   * The text of a policy.
   *
   * @throws IllegalArgumentException if it has no default level or refers to what is not there
   */
  public static byte[] write(QosPolicy policy) {
    String wrong = policy.inconsistency();
    if (wrong != null) {
      throw new IllegalArgumentException(wrong);
    }
    StringBuilder out = new StringBuilder();
    if (!policy.groups().isEmpty()) {
      out.append("port-groups\n");
      for (QosPolicy.Group group : policy.groups()) {
        out.append("  port-group\n");
        entry(out, "name", group.name());
        entry(out, "pkey", hex(group.pkey()));
        out.append("  end-port-group\n");
      }
      out.append("end-port-groups\n");
    }
    out.append("qos-levels\n");
    for (QosPolicy.Level level : policy.levels()) {
      out.append("  qos-level\n");
      entry(out, "name", level.name());
      entry(out, "sl", String.valueOf(level.sl()));
      out.append("  end-qos-level\n");
    }
    out.append("end-qos-levels\n");
    if (!policy.rules().isEmpty()) {
      out.append("qos-match-rules\n");
      policy.rules().forEach(rule -> rule(out, rule));
      out.append("end-qos-match-rules\n");
    }
    byte[] bytes = out.toString().getBytes(StandardCharsets.US_ASCII);
    Parsed<QosPolicy> back = QosPolicyReader.read(new Source("(written)", bytes));
    if (!back.ok() || !back.get().equals(policy)) {
      throw new IllegalStateException("written policy reads back differently: " + back.problems());
    }
    return bytes;
  }

  private static void rule(StringBuilder out, QosPolicy.Rule rule) {
    out.append("  qos-match-rule\n");
    if (rule.pkey() != 0) {
      entry(out, "pkey", hex(rule.pkey()));
    } else {
      entry(out, "source", rule.group());
      entry(out, "destination", rule.group());
    }
    entry(out, "qos-level-name", rule.level());
    out.append("  end-qos-match-rule\n");
  }

  private static String hex(int pkey) {
    return "0x%04x".formatted(pkey);
  }

  private static void entry(StringBuilder out, String key, String value) {
    out.append("    ").append(key).append(": ").append(value).append('\n');
  }
}
