package org.heddle.server.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.heddle.plan.Progress;
import org.heddle.plan.model.EventKind;

/**
 * A method and a path with variables ({@code /v1/tenants/{name}}), and what answers it. The list of
 * routes is what the server, its description and the tests of access go by.
 *
 * @param changes true if it takes the right to change something
 * @param summary one line for the description
 * @param later what it is as a job; empty if it is answered at once only
 * @param query names that its query may have; a change may have {@code dry_run} besides
 * @param answer what it answers; empty for what is no JSON
 */
public record Route(
    String method,
    String path,
    boolean changes,
    String summary,
    Handler handler,
    Optional<Later> later,
    List<String> query,
    Optional<Answer> answer) {
  /**
   * What a route answers.
   *
   * @param status of an answer that is no refusal
   * @param types records, of which the answer is one; if there are several, by whom or how it is
   *     asked
   * @param list true if it is a page of them
   */
  public record Answer(int status, List<Class<?>> types, boolean list) {}

  /** Answers a call. */
  @FunctionalInterface
  public interface Handler {
    /** The reply; {@link Problem} is thrown for the others. */
    Reply handle(Call call);
  }

  /** The same while somebody watches. */
  @FunctionalInterface
  public interface Work {
    Reply run(Call call, Progress progress);
  }

  /**
   * A call as a job.
   *
   * @param kind as in {@link org.heddle.control.model.Job}
   */
  public record Later(Function<Call, String> kind, Work work) {}

  /** One that is answered at once. */
  public Route(String method, String path, boolean changes, String summary, Handler handler) {
    this(method, path, changes, summary, handler, Optional.empty(), List.of(), Optional.empty());
  }

  /** The same, which may be asked for as a job. */
  public Route asJob(EventKind kind) {
    return asJob(_ -> kind.word(), (call, _) -> handler.handle(call));
  }

  /** The same, which may be asked for as a job, by work that says how far it is. */
  public Route asJob(Function<Call, String> kind, Work work) {
    return new Route(
        method, path, changes, summary, handler, Optional.of(new Later(kind, work)), query, answer);
  }

  /** The same, whose query may have these names. */
  public Route taking(List<String> names, String... more) {
    List<String> all = new ArrayList<>(names);
    all.addAll(List.of(more));
    return new Route(method, path, changes, summary, handler, later, List.copyOf(all), answer);
  }

  /** The same, which answers such a record. */
  public Route answers(Class<?>... types) {
    return answering(200, false, types);
  }

  /** The same, which makes something: such a record with status 201. */
  public Route makes(Class<?>... types) {
    return answering(201, false, types);
  }

  /** The same, which answers a page of such records. */
  public Route lists(Class<?>... types) {
    return answering(200, true, types);
  }

  private Route answering(int status, boolean list, Class<?>... types) {
    Answer a = new Answer(status, List.of(types), list);
    return new Route(method, path, changes, summary, handler, later, query, Optional.of(a));
  }

  /** Refuses a query with names that mean nothing here. */
  public void check(Call call) {
    List<String> known = new ArrayList<>(query);
    if (changes) {
      known.add("dry_run");
    }
    call.onlyQuery(known);
  }

  /** The variables of a path if it is of this route. */
  public Optional<Map<String, String>> match(List<String> segments) {
    String[] mine = path.substring(1).split("/");
    if (mine.length != segments.size()) {
      return Optional.empty();
    }
    Map<String, String> out = new HashMap<>();
    for (int i = 0; i < mine.length; i++) {
      if (mine[i].startsWith("{")) {
        out.put(mine[i].substring(1, mine[i].length() - 1), segments.get(i));
      } else if (!mine[i].equals(segments.get(i))) {
        return Optional.empty();
      }
    }
    return Optional.of(out);
  }
}
