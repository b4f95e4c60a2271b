package org.heddle.cli.tenants;

import org.heddle.cli.remote.Changed;
import org.heddle.cli.remote.Words;
import tools.jackson.databind.JsonNode;

/** A tenant that was changed, in words. */
final class Said {
  static final Changed.Thing TENANT = new Changed.Thing("tenant", Words::tenant, Said::hosts);

  private Said() {}

  private static String hosts(JsonNode tenant) {
    String names = String.join(", ", Words.fields(tenant.path("hosts"), "name"));
    return names.isEmpty() ? "" : "hosts: " + names;
  }
}
