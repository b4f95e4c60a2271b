package org.heddle.server.http;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Key and certificate of the server, and whose certificates of clients count.
 *
 * @param keystore a PKCS #12 file
 * @param clientCa a file with certificates (PEM) of those who sign clients' certificates; without
 *     it, clients are not asked for any
 * @param clientRequired true if nobody connects without one
 */
public record Tls(Path keystore, String password, Optional<Path> clientCa, boolean clientRequired) {
  /** Without certificates of clients. */
  public Tls(Path keystore, String password) {
    this(keystore, password, Optional.empty(), false);
  }
}
