package org.heddle.text.tenants;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.text.Hostlist;
import org.heddle.text.NearWords;
import org.heddle.text.Problems;
import org.heddle.text.Tokens;
import org.heddle.text.tenants.TenantsFile.Group;
import org.heddle.text.tenants.TenantsFile.HostWeight;
import org.heddle.text.tenants.TenantsFile.Tenant;

/** What must hold within a tenants file, whatever the fabric. */
public final class TenantsChecks {
  private static final int MAX_NAME = 31;

  private TenantsChecks() {}

  /** True for a name that OpenSM's partitions file can hold unchanged. */
  public static boolean isName(String name) {
    if (name.isEmpty() || name.length() > MAX_NAME) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean word = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
      if (!word && (i == 0 || "_-.".indexOf(c) < 0)) {
        return false;
      }
    }
    return true;
  }

  static void check(TenantsFile file, Problems problems) {
    names(file, problems);
    keys(file, problems);
    sharing(file, problems);
    weights(file.weights(), problems);
    for (Tenant tenant : file.tenants()) {
      weights(tenant.weights(), problems);
      if (tenant.members().isEmpty()) {
        problems.note(
            tenant.line(), "tenant '" + tenant.name() + "' has no members; OpenSM deletes its key");
      }
    }
  }

  private static void names(TenantsFile file, Problems problems) {
    Map<String, Integer> lines = new HashMap<>();
    for (Tenant tenant : file.tenants()) {
      if (tenant.name().isEmpty()) {
        continue;
      }
      if (tenant.name().equalsIgnoreCase("default")) {
        problems.error(tenant.line(), "'Default' is the name of the default partition, 0x7fff");
      }
      Integer first = lines.putIfAbsent(tenant.name(), tenant.line());
      if (first != null) {
        problems.error(
            tenant.line(),
            "a second tenant '" + tenant.name() + "'; the first is in line " + first);
      }
    }
  }

  private static void keys(TenantsFile file, Problems problems) {
    Map<Integer, Tenant> owners = new HashMap<>();
    for (Tenant tenant : file.tenants()) {
      Tenant first = tenant.pkey() == 0 ? null : owners.putIfAbsent(tenant.pkey(), tenant);
      if (first != null) {
        problems.error(
            tenant.pkeyLine(),
            "P_Key 0x%04x (0x%04x with the membership bit) of '%s' belongs to '%s', line %d"
                .formatted(
                    tenant.pkey(),
                    tenant.pkey() | 0x8000,
                    tenant.name(),
                    first.name(),
                    first.pkeyLine()));
      }
    }
  }

  private static void sharing(TenantsFile file, Problems problems) {
    List<String> names = file.names();
    for (Group group : file.rules().sharing()) {
      for (String name : group.names()) {
        if (!names.contains(name)) {
          problems.error(
              group.line(),
              "'sharing' names '"
                  + Tokens.excerpt(name)
                  + "', which is not a tenant"
                  + NearWords.hint(name, names));
        }
      }
      if (group.names().size() < 2) {
        problems.note(group.line(), "a group of fewer than two tenants shares nothing");
      }
    }
  }

  private static void weights(List<HostWeight> weights, Problems problems) {
    for (HostWeight weight : weights) {
      Hostlist.Expansion expansion = Hostlist.expand(weight.hosts());
      if (expansion.error() != null) {
        problems.error(weight.line(), expansion.error());
      }
    }
  }
}
