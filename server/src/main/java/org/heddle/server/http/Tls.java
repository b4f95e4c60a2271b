package org.heddle.server.http;

import java.nio.file.Path;

/**
 * Key and certificate of the server.
 *
 * @param keystore a PKCS #12 file
 */
public record Tls(Path keystore, String password) {}
