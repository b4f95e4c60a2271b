package org.heddle.server.ufm;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.heddle.control.Controller;
import org.heddle.control.Reconciler;
import org.heddle.control.model.Actor;
import org.heddle.server.auth.Credentials;
import org.heddle.server.http.Call;
import org.heddle.server.http.Problem;
import org.heddle.server.http.Reply;

/**
 * The UFM partition API under its three bases. It is the provider's: what it shows and changes
 * belongs to all tenants.
 */
public final class UfmArea {
  private static final Set<String> BASES = Set.of("ufmRest", "ufmRestV2", "ufmRestV3");

  private final UfmApi api;
  private final UfmAccounts accounts;

  /**
   * The interface to a controller.
   *
   * @param status how far the fabric is
   * @param health what keeps the controller from its work, a sentence each
   */
  public UfmArea(
      Controller controller,
      Credentials credentials,
      Supplier<Reconciler.Status> status,
      Supplier<List<String>> health) {
    this.accounts = new UfmAccounts(controller.store(), credentials, controller::now);
    this.api = new UfmApi(controller, SmKeys.OPENSM, status, health);
  }

  /** True if a path is of this interface. */
  public static boolean holds(List<String> segments) {
    return !segments.isEmpty() && BASES.contains(segments.getFirst());
  }

  public Reply answer(Call call) {
    Actor actor = call.actor();
    if (actor.role() == Actor.Role.TENANT) {
      return reply(UfmAnswer.error(403, "this interface is the provider's"));
    }
    if (actor.role() == Actor.Role.VIEWER && !call.method().equals("GET")) {
      return reply(UfmAnswer.error(403, "a viewer changes nothing"));
    }
    Map<String, String> query = new HashMap<>();
    call.query().forEach((name, value) -> query.put(name.toLowerCase(Locale.ROOT), value));
    List<String> path = call.segments().subList(1, call.segments().size());
    UfmAnswer answer =
        UfmAccounts.holds(path)
            ? accounts.answer(call, path)
            : api.call(new UfmCall(call.method(), path, query, call.body(), actor));
    Reply reply = reply(answer);
    if (answer.job().isEmpty()) {
      return reply;
    }
    String job = "/" + call.segments().getFirst() + "/jobs/" + answer.job().getAsLong();
    Map<String, String> headers = new HashMap<>(reply.headers());
    headers.put("Location", job);
    return new Reply(reply.status(), reply.body(), headers);
  }

  /** A problem in the shape of the interface that a path belongs to. */
  public static Reply refuse(List<String> segments, Problem p) {
    return holds(segments) ? problem(p) : Reply.of(p);
  }

  /** What went wrong outside, in this interface's shape. */
  public static Reply problem(Problem p) {
    Map<String, String> headers = new HashMap<>(p.headers());
    Reply reply = reply(UfmAnswer.error(p.status(), p.getMessage()));
    headers.putAll(reply.headers());
    return new Reply(reply.status(), reply.body(), headers);
  }

  private static Reply reply(UfmAnswer answer) {
    return new Reply(
        answer.status(), answer.body(), Map.of("Content-Type", UfmAnswer.CONTENT_TYPE));
  }
}
