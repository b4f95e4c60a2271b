package org.heddle.cli.remote;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Session;

/** Whom to trust, from a file with certificates. */
final class Certificates {
  private Certificates() {}

  /**
   * TLS that trusts these certificates and what they signed.
   *
   * @param file PEM, one certificate or several
   * @throws Failure exit code 2 if there is none in it
   */
  static SSLContext trusting(Session session, String file) {
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
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, factory.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw Failure.badInput("cannot use the certificates of " + file + ": " + e.getMessage());
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
