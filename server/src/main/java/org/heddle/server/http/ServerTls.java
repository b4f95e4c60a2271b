package org.heddle.server.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** TLS of a server that runs, which may get another certificate meanwhile. */
public final class ServerTls {
  private final SslContextFactory.Server context = new SslContextFactory.Server();

  /**
   * With these files.
   *
   * @throws IllegalArgumentException if one of them cannot be used
   */
  public ServerTls(Tls tls) {
    set(context, tls);
    context.setNeedClientAuth(tls.clientRequired());
    context.setWantClientAuth(tls.clientCa().isPresent() && !tls.clientRequired());
  }

  /** For a connector. */
  public SslContextFactory.Server context() {
    return context;
  }

  /**
   * Takes the certificates that the files have now; connections that there are go on.
   *
   * @throws IllegalArgumentException if one of them cannot be used: all stays as it was
   */
  public void reload(Tls tls) {
    try {
      new ServerTls(tls).context.start(); // before the one in use is touched
      context.reload(c -> set((SslContextFactory.Server) c, tls));
    } catch (IllegalArgumentException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static void set(SslContextFactory.Server context, Tls tls) {
    context.setKeyStoreType("PKCS12");
    context.setKeyStorePath(tls.keystore().toString());
    context.setKeyStorePassword(tls.password());
    tls.clientCa().ifPresent(file -> context.setTrustStore(trusted(file)));
  }

  /**
   * The certificates of a file.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static KeyStore trusted(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore out = KeyStore.getInstance("PKCS12");
      out.load(null, null);
      int number = 0;
      for (Certificate c : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        out.setCertificateEntry("ca-" + number++, c);
      }
      if (number == 0) {
        throw new IllegalArgumentException(file + " holds no certificate in PEM form");
      }
      return out;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalArgumentException(
          file + " cannot be used as certificates (PEM): " + e.getMessage(), e);
    }
  }

  /** The common name of the certificate that a client has shown; TLS has checked who signed it. */
  public static Optional<String> client(Request request) {
    if (request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE)
            instanceof EndPoint.SslSessionData session
        && session.peerCertificates() != null
        && session.peerCertificates().length > 0) {
      return commonName(session.peerCertificates()[0]);
    }
    return Optional.empty();
  }

  private static Optional<String> commonName(X509Certificate certificate) {
    try {
      return new LdapName(certificate.getSubjectX500Principal().getName())
          .getRdns().reversed().stream()
              .filter(rdn -> rdn.getType().equalsIgnoreCase("CN"))
              .map(Rdn::getValue)
              .filter(String.class::isInstance)
              .map(String.class::cast)
              .findFirst();
    } catch (InvalidNameException _) {
      return Optional.empty();
    }
  }
}
