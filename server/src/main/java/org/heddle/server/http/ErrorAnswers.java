package org.heddle.server.http;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/**
 * What the server answers by itself, before or instead of a route: requests that are no HTTP, too
 * long headers, and what nobody expected. In the same shape as all other refusals, since clients
 * read JSON and no pages, and without what happened inside.
 */
public final class ErrorAnswers extends ErrorHandler {
  private final BiFunction<List<String>, Problem, Reply> shape;

  /**
   * @param shape how a problem is told on a path, by the path's segments: interfaces that were
   *     there before Heddle have shapes of their own
   */
  public ErrorAnswers(BiFunction<List<String>, Problem, Reply> shape) {
    this.shape = shape;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    int status = response.getStatus() < 400 ? 500 : response.getStatus();
    String path = Request.getPathInContext(request);
    List<String> segments =
        path == null ? List.of() : List.of(path.replaceFirst("^/+", "").split("/"));
    String reason = (String) request.getAttribute(ErrorHandler.ERROR_MESSAGE);
    Problem problem = problem(status, reason == null ? "" : reason);
    Reply reply = shape.apply(segments, problem);
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/problem+json");
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    reply.headers().forEach(response.getHeaders()::put);
    response.write(true, ByteBuffer.wrap(reply.bytes()), callback);
    return true;
  }

  /** The problem of a status, of which the HTTP library may have given a reason. */
  public static Problem problem(int status, String reason) {
    if (status >= 500 && status != 505) {
      return new Problem(status, "internal", "the controller failed at this; its audit says where");
    }
    String detail =
        switch (status) {
          case 431 -> "the headers are too long: 16 KiB at most";
          case 417 -> "of 'Expect' only '100-continue' is understood";
          case 505 -> "HTTP/1.0 and HTTP/1.1 are spoken here";
          default -> "the request cannot be read" + (reason.isEmpty() ? "" : ": " + reason);
        };
    String kind = HttpStatus.getMessage(status).toLowerCase(Locale.ROOT).replace(' ', '-');
    return new Problem(status, status == 400 ? "malformed" : kind, detail);
  }
}
