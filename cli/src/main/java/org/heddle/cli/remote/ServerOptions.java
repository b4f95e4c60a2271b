package org.heddle.cli.remote;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Session;
import org.heddle.server.auth.LocalServers;
import picocli.CommandLine.Option;

/**
 * Where the controller is and who asks it. Secrets come from a file or the environment: what is on
 * a command line is in the list of processes.
 */
public final class ServerOptions {
  private static final String DEFAULT = "http://127.0.0.1:8480";
  private static final String SERVER = "HEDDLE_SERVER";
  private static final String TOKEN = "HEDDLE_TOKEN";
  private static final String TOKEN_FILE = "HEDDLE_TOKEN_FILE";
  private static final String CA_FILE = "HEDDLE_CA_FILE";
  private static final String CLIENT_KEYSTORE = "HEDDLE_CLIENT_KEYSTORE";
  private static final String CLIENT_PASSWORD_FILE = "HEDDLE_CLIENT_PASSWORD_FILE";
  private static final int HTTP = 80;
  private static final int HTTPS = 443;

  @Option(
      names = "--server",
      paramLabel = "URL",
      description = {
        "The controller's URL; with a standby both, separated by a comma (default: "
            + "$HEDDLE_SERVER, or "
            + DEFAULT
            + ")."
      })
  private String server;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "File with the API token (default: $HEDDLE_TOKEN, or $HEDDLE_TOKEN_FILE, or that of the "
              + "controller that this account runs here).")
  private String tokenFile;

  @Option(
      names = "--ca-file",
      paramLabel = "FILE",
      description =
          "Certificates to trust instead of the usual ones, PEM (default: $HEDDLE_CA_FILE).")
  private String caFile;

  /**
   * A client by these options.
   *
   * @throws Failure exit code 2 if one of them cannot be used; nothing has been sent
   */
  public ServerClient open(Session session) {
    List<URI> servers = new ArrayList<>();
    for (String url : chosen(session, server, SERVER).orElse(DEFAULT).split(",")) {
      servers.add(address(url.strip()));
    }
    Optional<String> token = token(session).or(() -> own(session, servers));
    for (URI uri : servers) {
      if (token.isPresent() && uri.getScheme().equals("http") && !local(uri.getHost())) {
        session.note("the token goes to " + uri + " in clear text; https:// keeps it secret");
      }
    }
    return new ServerClient(servers, token, tls(session), ServerClient.SLEEP)
        .telling(session::done);
  }

  /** Other certificates than the usual ones, if there are any. */
  private Optional<SSLContext> tls(Session session) {
    Optional<String> trusted = chosen(session, caFile, CA_FILE);
    Optional<String> own = chosen(session, null, CLIENT_KEYSTORE);
    String password =
        own.flatMap(_ -> chosen(session, null, CLIENT_PASSWORD_FILE))
            .map(f -> new String(session.read(f).bytes(), StandardCharsets.UTF_8).strip())
            .orElse("");
    return trusted.isEmpty() && own.isEmpty()
        ? Optional.empty()
        : Optional.of(Certificates.context(session, trusted, own, password));
  }

  private static boolean local(String host) {
    return loopback(host).isPresent();
  }

  /** The loopback address that a URL's host is; a name that only looks like one is none. */
  static Optional<InetAddress> loopback(String host) {
    String literal = host.equalsIgnoreCase("localhost") ? "127.0.0.1" : host;
    literal = literal.replaceFirst("^\\[(.*)]$", "$1");
    try {
      return Optional.of(InetAddress.ofLiteral(literal)).filter(InetAddress::isLoopbackAddress);
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static Optional<String> chosen(Session session, String given, String variable) {
    String value = given == null ? session.env().getOrDefault(variable, "") : given;
    return given == null && value.isEmpty() ? Optional.empty() : Optional.of(value);
  }

  private static URI address(String text) {
    try {
      // 'heddle serve' says where it serves with the interface's version behind it
      URI uri = new URI(text.replaceFirst("(/+v1)?/*$", ""));
      boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (web && uri.getHost() != null && uri.getPath().isEmpty() && uri.getUserInfo() == null) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // said below
    }
    throw Failure.badInput(
        "'" + text + "' is not the address of a controller",
        "expected: http://HOST:PORT or https://...");
  }

  private Optional<String> token(Session session) {
    String direct = session.env().getOrDefault(TOKEN, "");
    if (tokenFile == null && !direct.isEmpty()) {
      return Optional.of(checked(direct.strip(), "$" + TOKEN));
    }
    return chosen(session, tokenFile, TOKEN_FILE).map(file -> read(session, file));
  }

  /** The token of a controller that the same account runs on this machine. */
  private static Optional<String> own(Session session, List<URI> servers) {
    URI first = servers.getFirst();
    Optional<InetAddress> address = loopback(first.getHost());
    if (servers.size() != 1 || address.isEmpty()) {
      return Optional.empty();
    }
    int port = first.getPort();
    if (port < 0) {
      port = first.getScheme().equals("http") ? HTTP : HTTPS;
    }
    return LocalServers.tokenFile(session.env(), address.get(), port)
        .map(f -> read(session, f.toString()));
  }

  private static String read(Session session, String file) {
    byte[] bytes = session.read(file).bytes();
    return checked(new String(bytes, StandardCharsets.ISO_8859_1).strip(), file);
  }

  private static String checked(String token, String where) {
    if (!token.matches("[!-~]{1,4096}")) {
      throw Failure.badInput(where + ":1: expected one line with a token, and nothing else");
    }
    return token;
  }
}
