package org.heddle.text.tenants;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.text.Hostlist;
import org.heddle.text.opensm.PartitionsConf;

/** Tenants files that are not written by hand: a first one, and one from what OpenSM runs with. */
public final class TenantsFiles {
  private static final int EXAMPLE_HOSTS = 16;

  private TenantsFiles() {}

  /** The JSON Schema (draft 2020-12) of the format, for editors and other checkers. */
  public static String schema() {
    try (InputStream in = TenantsFiles.class.getResourceAsStream("tenants.schema.json")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a resource of our own jar
    }
  }

  /**
   * The tenants file that says what a {@code partitions.conf} says. Ports become host names where
   * the fabric has them and all ports of the host are members alike, GUIDs otherwise. What a
   * tenants file cannot hold is listed in comments.
   *
   * @param fabric to find names in; without it members stay GUIDs
   */
  public static byte[] fromPartitions(PartitionsConf conf, Optional<Fabric> fabric) {
    return new TenantsFromPartitions(fabric).text(conf);
  }

  /**
   * A commented file to start from; valid as it is, on the fabric too if there is one.
   *
   * @param fabric whose host names to use; without it they are {@code node01} to {@code node32}
   */
  public static byte[] example(Optional<Fabric> fabric) {
    List<String> first = List.of("node[01-16]");
    List<String> second = List.of("node[17-31]");
    String special = "node01";
    if (fabric.isPresent()) {
      List<String> names = new ArrayList<>();
      TenantsHosts hosts = new TenantsHosts(fabric.get());
      for (int i = 0; i < hosts.size() && names.size() < 2 * EXAMPLE_HOSTS; i++) {
        boolean linked = hosts.host(i).nodes().stream().anyMatch(n -> linked(fabric.get(), n));
        if (linked && !hosts.host(i).ambiguous() && isPlain(hosts.host(i).name())) {
          names.add(hosts.host(i).name());
        }
      }
      int half = (names.size() + 1) / 2;
      first = Hostlist.compress(names.subList(0, half));
      second = Hostlist.compress(names.subList(half, names.size()));
      special = names.isEmpty() ? "" : names.get(0);
    }
    return TenantsExample.text(first, second, special).getBytes(StandardCharsets.UTF_8);
  }

  private static boolean linked(Fabric fabric, int node) {
    for (int number = 1; number <= fabric.portCount(node); number++) {
      if (fabric.isEndport(fabric.port(node, number))) {
        return true;
      }
    }
    return false;
  }

  /** True for a host name that means only itself in a member list, unquoted. */
  static boolean isPlain(String name) {
    boolean plain = !name.isEmpty() && !name.startsWith("0x") && !name.startsWith("0X");
    for (int i = 0; i < name.length() && plain; i++) {
      char c = name.charAt(i);
      boolean word = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
      plain = word || i > 0 && "_-.".indexOf(c) >= 0;
    }
    return plain && !name.equalsIgnoreCase("null");
  }
}
