package org.heddle.server.v1;

import java.util.List;
import java.util.Locale;
import org.heddle.control.model.Actor;
import org.heddle.server.auth.Credentials;
import org.heddle.server.http.Call;
import org.heddle.server.http.Reply;
import org.heddle.server.http.Route;

/** Who the sender of a request is: what a page needs to know to offer no more than is allowed. */
public final class SessionApi {
  private final Credentials credentials;

  public SessionApi(Credentials credentials) {
    this.credentials = credentials;
  }

  /**
   * The sender.
   *
   * @param role provider, tenant or viewer
   * @param tenant whose it is; empty for the others
   * @param open true if there are no credentials, so that everybody is the provider
   */
  record SessionDocument(String name, String role, String tenant, boolean open) {}

  public List<Route> routes() {
    return List.of(
        new Route("GET", "/v1/session", false, "Who you are", this::session)
            .answers(SessionDocument.class));
  }

  private Reply session(Call call) {
    Actor a = call.actor();
    String role = a.role().name().toLowerCase(Locale.ROOT);
    return Reply.ok(new SessionDocument(a.name(), role, a.tenant(), credentials.isEmpty()));
  }
}
