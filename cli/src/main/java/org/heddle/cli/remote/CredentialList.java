package org.heddle.cli.remote;

import java.util.List;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.TextTable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Tokens or users of a controller, as its lists print them. */
public final class CredentialList {
  private CredentialList() {}

  /**
   * Prints all of them.
   *
   * @param kind {@code token} or {@code user}
   * @param made what its time is called
   */
  public static void print(
      Session session, ServerClient client, boolean json, String kind, String made) {
    String kinds = kind + "s";
    List<JsonNode> all = client.all("/v1/" + kinds);
    if (json) {
      ObjectNode document = client.document("heddle." + kinds + "-list/1");
      document.putArray(kinds).addAll(all);
      Json.print(session, document);
      return;
    }
    TextTable table = new TextTable(kind, "role", "tenant", made, "expires", "last used", "state");
    for (JsonNode c : all) {
      table.row(
          Words.text(c, "name"),
          Words.text(c, "role"),
          Words.text(c, "tenant"),
          Words.moment(c, "created"),
          Words.moment(c, "expires"),
          Words.moment(c, "last_used"),
          Words.text(c, "state"));
    }
    if (table.isEmpty()) {
      session.out().println("no " + kinds);
    } else {
      table.print(session.out(), session.terminal(), "");
    }
  }
}
