package org.heddle.cli.remote;

import java.util.Locale;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What a new token or user may do, and how long. */
public final class CredentialOptions {
  /** What somebody may do. */
  enum Role {
    /** Everything. */
    PROVIDER,
    /** See and change its own. */
    TENANT,
    /** See everything. */
    VIEWER
  }

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      defaultValue = "provider",
      description = "provider, tenant or viewer (default: ${DEFAULT-VALUE}).")
  private Role role;

  @Option(
      names = "--tenant",
      paramLabel = "TENANT",
      description = "For the role tenant: the tenant whose resources it sees and changes.")
  private String tenant;

  @Option(
      names = "--expires",
      paramLabel = "TIME",
      description = "When it expires, such as 2027-01-31T00:00:00Z (default: never).")
  private String expires;

  /** A request for the credential of that name. */
  public ObjectNode body(String name) {
    ObjectNode body =
        JsonNodeFactory.instance
            .objectNode()
            .put("name", name)
            .put("role", role.name().toLowerCase(Locale.ROOT));
    if (tenant != null) {
      body.put("tenant", tenant);
    }
    if (expires != null) {
      body.put("expires", expires);
    }
    return body;
  }
}
