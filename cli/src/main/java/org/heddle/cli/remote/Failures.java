package org.heddle.cli.remote;

import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateExpiredException;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;
import org.heddle.cli.shell.Failure;
import tools.jackson.databind.JsonNode;

/** What goes wrong with a call, in words: who did not do what, and what helps. */
final class Failures {
  private static final int BAD_REQUEST = 400;
  private static final int UNAUTHORIZED = 401;
  private static final int NOT_FOUND = 404;
  private static final int TOO_LARGE = 413;
  private static final int TOO_MANY = 429;
  private static final int SERVER_ERROR = 500;

  private Failures() {}

  /** An answer that is not the one hoped for: the controller's own words. */
  static Failure refusal(String server, int status, JsonNode problem, boolean hadToken) {
    String detail = Words.text(problem, "detail");
    List<String> hints = Words.texts(problem.path("hints"));
    if (!problem.isObject() || detail.isEmpty()) {
      return stranger(server, status);
    }
    if (status == UNAUTHORIZED) {
      return hadToken
          ? Failure.badInput(
              server + " does not know this token (401)", "was it made by this controller?")
          : Failure.badInput(
              server + " requires a token (401)",
              "--token-file FILE, or HEDDLE_TOKEN in the environment",
              "the controller's first start made one: heddle.token in its data directory");
    }
    if (status == NOT_FOUND && hints.isEmpty()) {
      hints = List.of("'heddle tenants list' shows what this token may see");
    }
    boolean asked = status > UNAUTHORIZED && status != TOO_LARGE && status != TOO_MANY;
    if (asked && status < SERVER_ERROR) {
      return Failure.refused(detail, hints);
    }
    String message = status == BAD_REQUEST ? detail : server + ": " + detail + " (" + status + ")";
    return Failure.badInput(message, hints.toArray(new String[0]));
  }

  /** Something else listens there. */
  static Failure stranger(String server, int status) {
    String what = status == 0 ? "" : " (status " + status + ")";
    return Failure.badInput(
        server + " does not answer like a controller of Heddle" + what,
        "is that the address 'heddle serve' listens on?");
  }

  /** True if nothing can have been sent. */
  static boolean unreachable(IOException e) {
    return e instanceof ConnectException || e instanceof HttpConnectTimeoutException;
  }

  /** True if what came back is not HTTP, as from a port that expects TLS. */
  static boolean notHttp(IOException e) {
    return e instanceof ProtocolException || String.valueOf(e.getMessage()).contains("status line");
  }

  static Failure lost(URI server, IOException e, int tries) {
    if (caused(e, UnresolvedAddressException.class)) {
      return Failure.badInput("there is no host '" + server.getHost() + "'");
    }
    if (e instanceof HttpConnectTimeoutException) {
      return Failure.badInput("no connection to " + server + " within 5 s");
    }
    if (e instanceof ConnectException) {
      return Failure.badInput(
          "cannot connect to " + server + ": " + reason(e),
          "is 'heddle serve' running there? --server URL or HEDDLE_SERVER names another address");
    }
    if (notHttp(e)) {
      return Failure.badInput(server + " does not speak HTTP", "does it expect https://?");
    }
    List<String> hints = new ArrayList<>();
    if (tries > 1) {
      hints.add("tried " + tries + " times; a change may have happened: check, or ask again");
    }
    if (server.getScheme().equals("http")) {
      hints.add("does it expect https://?");
    }
    String what = e instanceof HttpTimeoutException ? "no answer" : reason(e);
    return Failure.badInput("lost " + server + ": " + what, hints.toArray(new String[0]));
  }

  static Failure tls(URI server, SSLException e) {
    String text = deepest(e);
    if (caused(e, CertificateExpiredException.class)) {
      return Failure.badInput("the certificate of " + server + " has expired: " + text);
    }
    if (text.contains("certification path") || text.contains("path building")) {
      return Failure.badInput(
          "the certificate of " + server + " is not trusted",
          "--ca-file FILE: the certificate itself, or its issuer's, in PEM form");
    }
    if (text.contains("subject alternative") || text.contains("No name matching")) {
      return Failure.badInput("the certificate of " + server + " is for another name: " + text);
    }
    if (text.contains("Unsupported or unrecognized") || text.contains("plaintext")) {
      return Failure.badInput(server + " does not speak TLS", "does it expect http://?");
    }
    if (text.contains("certificate_required") || text.contains("bad_certificate")) {
      return Failure.badInput(
          server + " wants to see a client's certificate, or does not take this one",
          "HEDDLE_CLIENT_KEYSTORE=client.p12 in the environment, and HEDDLE_CLIENT_PASSWORD_FILE");
    }
    return Failure.badInput("no TLS with " + server + ": " + text);
  }

  private static boolean caused(Throwable e, Class<?> type) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (type.isInstance(t)) {
        return true;
      }
    }
    return false;
  }

  private static String deepest(Throwable e) {
    Throwable t = e;
    while (t.getCause() != null) {
      t = t.getCause();
    }
    return String.valueOf(t.getMessage());
  }

  private static String reason(IOException e) {
    String text = deepest(e);
    return text.equals("null") ? "connection refused" : text;
  }
}
