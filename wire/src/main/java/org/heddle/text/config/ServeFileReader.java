package org.heddle.text.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.heddle.tenancy.PKeys;
import org.heddle.text.Parsed;
import org.heddle.text.Problems;
import org.heddle.text.Source;
import org.heddle.text.yaml.YamlFields;
import org.heddle.text.yaml.YamlNode;
import org.heddle.text.yaml.YamlNode.Mapping;
import org.heddle.text.yaml.YamlNode.Scalar;
import org.heddle.text.yaml.YamlReader;

/**
 * Reads a controller's configuration: YAML 1.2, keys in {@code docs/controller.md}. Unknown keys
 * and wrong values are errors with their line. O(bytes).
 */
public final class ServeFileReader {
  private static final List<String> KEYS =
      List.of(
          "version",
          "listen",
          "data",
          "database",
          "database_user",
          "database_password_file",
          "fabric",
          "agent",
          "engine",
          "machines",
          "interval_ms",
          "correct_drift",
          "files",
          "via",
          "reload",
          "tls_keystore",
          "tls_password_file",
          "settle_ms",
          "requests_per_second",
          "provider_requests_per_second",
          "failures_per_minute",
          "write_drift",
          "opensm_conf",
          "lanes",
          "m_key_file",
          "log_level",
          "log_format",
          "log_file",
          "tenant_keys",
          "client_keys",
          "job_keys",
          "plugins",
          "open",
          "connections_per_address",
          "proxies",
          "tls_client_ca_file",
          "tls_client_required",
          "quotas",
          "keep_history",
          "keep_events",
          "keep_audit",
          "archive");

  private static final List<String> QUOTA_KEYS =
      List.of("hosts", "links", "vms", "requests_per_second");

  private static final Map<String, Boolean> YES_NO = Map.of("true", true, "false", false);
  private static final int HOUR_MILLIS = 3_600_000;
  private static final int MOST_REQUESTS = 1_000_000;
  private static final int MOST_KEPT = 1_000_000_000;

  private final Problems problems;

  private ServeFileReader(Problems problems) {
    this.problems = problems;
  }

  /** Reads a file. */
  public static Parsed<ServeFile> read(Source source) {
    Problems problems = new Problems(source.name());
    YamlNode root =
        YamlReader.parse(
            source.bytes(), problems, "a configuration", "'version: 1' is expected first");
    ServeFile file = null;
    if (root instanceof Mapping map) {
      file = new ServeFileReader(problems).file(map);
    } else if (root != null) {
      problems.error(root.line(), "a configuration is a map of keys, got: " + root.kind());
    }
    return problems.result(file);
  }

  private ServeFile file(Mapping map) {
    YamlFields fields = new YamlFields(map, KEYS, "of a configuration", problems);
    if (!(fields.value("version") instanceof Scalar s && s.text().equals("1"))) {
      problems.error(
          fields.has("version") ? fields.line("version") : map.line(), "'version: 1' is expected");
    }
    if (fields.has("tls_password_file") && !fields.has("tls_keystore")) {
      problems.error(
          fields.line("tls_password_file"),
          "'tls_password_file' without 'tls_keystore': it would be HTTP in clear");
    }
    Map<String, String> agents = new LinkedHashMap<>();
    List.of("emulator", "opensm", "dry-run").forEach(word -> agents.put(word, word));
    return new ServeFile(
        text(fields, "listen", "an address and a port"),
        text(fields, "data", "the name of a directory"),
        text(fields, "database", "a URL like jdbc:postgresql://localhost/heddle"),
        text(fields, "database_user", "a name"),
        text(fields, "database_password_file", "the name of a file"),
        text(fields, "fabric", "the name of a file, or a tree"),
        Optional.ofNullable(fields.choice("agent", agents, null)),
        text(fields, "engine", "the name of an engine"),
        text(fields, "machines", "the name of a file"),
        fields.integer("interval_ms", 10, HOUR_MILLIS, 0),
        fields.choice("correct_drift", YES_NO, true),
        text(fields, "files", "the name of a directory"),
        text(fields, "via", "a transport for datagrams"),
        words(fields, "reload", "a list of words: a program and its arguments"),
        text(fields, "tls_keystore", "the name of a file"),
        text(fields, "tls_password_file", "the name of a file"),
        fields.integer("settle_ms", 10, HOUR_MILLIS, ServeFile.SETTLE_MILLIS),
        limits(fields),
        new ServeFile.Live(
            fields.choice("write_drift", YES_NO, ServeFile.Live.DEFAULT.writeDrift()),
            text(fields, "opensm_conf", "the name of a file"),
            siteLanes(fields),
            text(fields, "m_key_file", "the name of a file")),
        log(fields),
        new ServeFile.Keys(
            range(fields, "tenant_keys"), range(fields, "client_keys"), range(fields, "job_keys")),
        text(fields, "plugins", "the name of a directory"),
        fields.choice("open", YES_NO, false),
        network(fields),
        quotas(fields),
        keep(fields));
  }

  /** Whose lanes there are; the site's are said in its options. */
  private boolean siteLanes(YamlFields fields) {
    boolean site = fields.choice("lanes", Map.of("heddle", false, "site", true), false);
    if (site && !fields.has("opensm_conf")) {
      problems.error(
          fields.line("lanes"), "'lanes: site' without 'opensm_conf', which says what they are");
    }
    return site;
  }

  /** Two keys with a hyphen between. */
  private Optional<ServeFile.KeyRange> range(YamlFields fields, String key) {
    String text = fields.text(key, "a range of partition keys, such as 0x4000-0x7ffe");
    if (text == null) {
      return Optional.empty();
    }
    String[] ends = text.split("-", -1);
    int first = ends.length == 2 ? pkey(ends[0]) : 0;
    int last = ends.length == 2 ? pkey(ends[1]) : 0;
    if (first == 0 || last < first) {
      problems.error(
          fields.line(key),
          "'%s' is a range of partition keys from 0x1 to 0x7ffe, such as 0x4000-0x7ffe, got: %s"
              .formatted(key, text));
      return Optional.empty();
    }
    return Optional.of(new ServeFile.KeyRange(first, last));
  }

  /** 0 for what is no tenant's key. */
  private static int pkey(String text) {
    try {
      int key = Integer.decode(text.strip());
      return PKeys.isTenants(key) ? key : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static ServeFile.Log log(YamlFields fields) {
    Map<String, String> levels = new LinkedHashMap<>();
    List.of("error", "warning", "info", "debug").forEach(word -> levels.put(word, word));
    Map<String, Boolean> formats = new LinkedHashMap<>();
    formats.put("text", false);
    formats.put("json", true);
    ServeFile.Log usual = ServeFile.Log.DEFAULT;
    return new ServeFile.Log(
        fields.choice("log_level", levels, usual.level()),
        fields.choice("log_format", formats, usual.json()),
        text(fields, "log_file", "the name of a file"));
  }

  private ServeFile.Network network(YamlFields fields) {
    ServeFile.Network usual = ServeFile.Network.DEFAULT;
    for (String key : List.of("tls_client_ca_file", "tls_client_required")) {
      String needs = key.equals("tls_client_ca_file") ? "tls_keystore" : "tls_client_ca_file";
      if (fields.has(key) && !fields.has(needs)) {
        problems.error(fields.line(key), "'" + key + "' without '" + needs + "'");
      }
    }
    List<String> proxies =
        words(fields, "proxies", "a list of addresses, or networks like 10.0.0.0/8");
    for (String proxy : proxies) {
      if (!AddressRange.isOne(proxy)) {
        problems.error(
            fields.line("proxies"),
            "'%s' is no address and no network: 192.0.2.7 or 10.0.0.0/8 is expected"
                .formatted(proxy));
      }
    }
    return new ServeFile.Network(
        fields.integer("connections_per_address", 0, MOST_REQUESTS, usual.connectionsPerAddress()),
        proxies,
        text(fields, "tls_client_ca_file", "the name of a file"),
        fields.choice("tls_client_required", YES_NO, usual.clientCertificateRequired()));
  }

  private static ServeFile.Keep keep(YamlFields fields) {
    ServeFile.Keep usual = ServeFile.Keep.DEFAULT;
    return new ServeFile.Keep(
        fields.integer("keep_history", 0, MOST_KEPT, usual.history()),
        fields.integer("keep_events", 0, MOST_KEPT, usual.events()),
        fields.integer("keep_audit", 0, MOST_KEPT, usual.audit()),
        text(fields, "archive", "the name of a directory"));
  }

  private Map<String, ServeFile.Quota> quotas(YamlFields fields) {
    Map<String, ServeFile.Quota> out = new LinkedHashMap<>();
    if (!fields.has("quotas")) {
      return out;
    }
    if (!(fields.value("quotas") instanceof Mapping map)) {
      problems.error(
          fields.line("quotas"),
          "'quotas' is a map of tenants, or \"*\" for all others, to maps of "
              + String.join(", ", QUOTA_KEYS));
      return out;
    }
    for (YamlNode.Pair pair : map.pairs()) {
      if (pair.value() instanceof Mapping quota) {
        YamlFields own = new YamlFields(quota, QUOTA_KEYS, "of a quota", problems);
        out.put(
            pair.key(),
            new ServeFile.Quota(
                most(own, "hosts"),
                most(own, "links"),
                most(own, "vms"),
                most(own, "requests_per_second")));
      } else {
        problems.error(
            pair.line(),
            "the quota of '%s' is a map of %s"
                .formatted(pair.key(), String.join(", ", QUOTA_KEYS)));
      }
    }
    return out;
  }

  private static OptionalInt most(YamlFields fields, String key) {
    return fields.has(key)
        ? OptionalInt.of(fields.integer(key, 0, MOST_REQUESTS, 0))
        : OptionalInt.empty();
  }

  private static ServeFile.Limits limits(YamlFields fields) {
    ServeFile.Limits usual = ServeFile.Limits.DEFAULT;
    return new ServeFile.Limits(
        fields.integer("requests_per_second", 0, MOST_REQUESTS, usual.requestsPerSecond()),
        fields.integer(
            "provider_requests_per_second", 0, MOST_REQUESTS, usual.providerRequestsPerSecond()),
        fields.integer("failures_per_minute", 0, MOST_REQUESTS, usual.failuresPerMinute()));
  }

  private static Optional<String> text(YamlFields fields, String key, String what) {
    return Optional.ofNullable(fields.text(key, what));
  }

  private List<String> words(YamlFields fields, String key, String what) {
    List<String> out = new ArrayList<>();
    for (YamlNode node : fields.list(key, what)) {
      if (node instanceof Scalar s && !s.isNull()) {
        out.add(s.text());
      } else {
        problems.error(node.line(), "a word of '" + key + "' is expected, got: " + node.kind());
      }
    }
    return out;
  }
}
