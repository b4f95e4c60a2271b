package org.heddle.cli.remote;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Session;

/** Whom to trust, and what to show, from files with certificates. */
final class Certificates {
  private Certificates() {}

  /**
   * TLS that trusts these certificates and what they signed, and shows one of its own.
   *
   * @param trusted PEM, one certificate or several; empty for those that Java trusts
   * @param own a PKCS #12 file with key and certificate; empty for none
   * @param password of that file
   * @throws Failure exit code 2 if one of them cannot be used
   */
  static SSLContext context(
      Session session, Optional<String> trusted, Optional<String> own, String password) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          own.isPresent() ? shown(session, own.get(), password) : null,
          trusted.isPresent() ? trusting(session, trusted.get()) : null,
          null);
      return context;
    } catch (GeneralSecurityException e) {
      throw Failure.badInput("no TLS with these certificates: " + e.getMessage());
    }
  }

  private static TrustManager[] trusting(Session session, String file) {
    byte[] bytes = session.read(file).bytes();
    try {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      int number = 0;
      for (Certificate certificate : read(file, bytes)) {
        trusted.setCertificateEntry("certificate-" + number++, certificate);
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(trusted);
      return factory.getTrustManagers();
    } catch (GeneralSecurityException | IOException e) {
      throw Failure.badInput("cannot use the certificates of " + file + ": " + e.getMessage());
    }
  }

  private static KeyManager[] shown(Session session, String file, String password) {
    byte[] bytes = session.read(file).bytes();
    try {
      KeyStore own = KeyStore.getInstance("PKCS12");
      own.load(new ByteArrayInputStream(bytes), password.toCharArray());
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(own, password.toCharArray());
      return factory.getKeyManagers();
    } catch (GeneralSecurityException | IOException e) {
      throw Failure.badInput(
          "cannot use the key and certificate of " + file + ": " + e.getMessage(),
          "HEDDLE_CLIENT_PASSWORD_FILE names a file with its password",
          "openssl pkcs12 -export -in cert.pem -inkey key.pem -out client.p12");
    }
  }

  private static Collection<? extends Certificate> read(String file, byte[] bytes)
      throws GeneralSecurityException {
    try {
      Collection<? extends Certificate> all =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(bytes));
      if (!all.isEmpty()) {
        return all;
      }
    } catch (CertificateException e) {
      // said below
    }
    throw Failure.badInput(
        file + ":1: expected certificates in PEM form",
        "of a PKCS #12 file: openssl pkcs12 -in tls.p12 -nokeys -out ca.pem");
  }
}
