package org.heddle.server.auth;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Credential;
import org.heddle.control.port.Store;
import org.heddle.control.port.StoreException;
import org.heddle.files.OwnersOnly;
import org.heddle.files.Replacement;

/**
 * The provider's token that a controller makes when it has no credentials: whoever can read the
 * controller's directory gets in, and no other user of the machine does. Its secret is in a file
 * beside the database, for the owner only; nothing prints it.
 */
public final class FirstToken {
  /** Its name, in lists and in the record of requests. */
  public static final String NAME = "initial";

  private static final String FILE = "heddle.token";

  /** No token is longer. */
  private static final int LONGEST = 4096;

  private FirstToken() {}

  /** The file in a controller's directory. */
  public static Path file(Path directory) {
    return directory.resolve(FILE).toAbsolutePath();
  }

  /**
   * Makes the token if there has never been a credential. The file comes first: a process that ends
   * in between makes another one at its next start.
   *
   * @return where it is, if it was made
   * @throws StoreException if the file cannot be written
   */
  public static Optional<Path> make(
      Store store, Credentials credentials, Path directory, Instant now) {
    return credentials.isEmpty()
        ? Optional.of(renew(store, credentials, directory, now))
        : Optional.empty();
  }

  /**
   * Makes the token, also where there are credentials: the one before, if there was one, counts no
   * more. For whoever has lost it; who can start a controller on a database could write into that
   * as well.
   *
   * @return where it is
   * @throws StoreException if the file cannot be written
   */
  public static Path renew(Store store, Credentials credentials, Path directory, Instant now) {
    String secret = Credentials.secret();
    Path file = file(directory);
    try {
      OwnersOnly.directory(file.getParent());
      Path fresh = Files.createTempFile(file.getParent(), "." + FILE, ".new"); // the owner's only
      try {
        Files.writeString(fresh, secret + "\n", StandardCharsets.US_ASCII);
        Replacement.put(fresh, file);
      } finally {
        Files.deleteIfExists(fresh);
      }
    } catch (IOException e) {
      throw new StoreException("cannot write " + file + ": " + e.getMessage(), e, false);
    }
    Credential made =
        new Credential(
            NAME,
            Credentials.TOKEN,
            Credentials.hash(secret),
            Actor.Role.PROVIDER,
            "",
            now.truncatedTo(ChronoUnit.SECONDS),
            false);
    store.put(made);
    credentials.accept(made);
    return file;
  }

  /**
   * Takes from other users the right to read the file, which a copy may have given them.
   *
   * @return where it is, if they had it
   */
  public static Optional<Path> close(Path directory) {
    Path file = file(directory);
    return Files.isRegularFile(file) && OwnersOnly.keep(file)
        ? Optional.of(file)
        : Optional.empty();
  }

  /** The file, if the token in it is one that this controller knows. */
  public static Optional<Path> valid(Credentials credentials, Path directory) {
    Path file = file(directory);
    try {
      if (!Files.isRegularFile(file) || Files.size(file) > LONGEST) {
        return Optional.empty();
      }
      String secret = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
      return credentials.isToken(secret) ? Optional.of(file) : Optional.empty();
    } catch (IOException _) {
      return Optional.empty(); // as if it were not there: nobody gets in by it
    }
  }
}
