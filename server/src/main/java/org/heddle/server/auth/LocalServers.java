package org.heddle.server.auth;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.files.Replacement;

/**
 * Notes of the controllers that run on this machine, by port, in the home of the account that runs
 * them: commands of the same account find the token there. A note says which process serves; while
 * that runs, nobody else can listen on its port, so a token is not sent to somebody who has taken
 * the port of a controller that ended.
 */
public final class LocalServers {
  /** Where the packaged service has its home. */
  private static final Path PACKAGED = Path.of("/var/lib/heddle");

  private static final int LINES = 3;

  private LocalServers() {}

  /** Where an account has its notes; empty if it has no home. */
  private static Optional<Path> directory(Map<String, String> env) {
    String state = env.getOrDefault("XDG_STATE_HOME", "");
    String home = env.getOrDefault("HOME", "");
    if (state.isEmpty() && home.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(state.isEmpty() ? of(Path.of(home)) : Path.of(state, "heddle", "servers"));
  }

  private static Path of(Path home) {
    return home.resolve(Path.of(".local", "state", "heddle", "servers"));
  }

  /** What tells a process from an earlier one of its number. */
  private static String started(ProcessHandle process) {
    return process.info().startInstant().map(at -> Long.toString(at.toEpochMilli())).orElse("");
  }

  /**
   * Notes that this process serves at a port, under a token in a file.
   *
   * @return what takes the note back
   */
  public static Runnable note(Map<String, String> env, int port, Path tokenFile) {
    Optional<Path> directory = directory(env);
    if (directory.isEmpty()) {
      return () -> {};
    }
    Path note = directory.get().resolve(Integer.toString(port));
    ProcessHandle own = ProcessHandle.current();
    List<String> lines = List.of(tokenFile.toString(), Long.toString(own.pid()), started(own));
    try {
      make(directory.get());
      Path fresh = Files.createTempFile(directory.get(), "." + port, ".new"); // the owner's only
      try {
        Files.write(fresh, lines);
        Replacement.put(fresh, note);
      } finally {
        Files.deleteIfExists(fresh);
      }
    } catch (IOException _) {
      return () -> {}; // no home that can be written: commands are told where the token is
    }
    return () -> forget(note, lines);
  }

  private static void make(Path directory) throws IOException {
    if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } else {
      Files.createDirectories(directory);
    }
  }

  /** Unless another process has put its own there. */
  private static void forget(Path note, List<String> lines) {
    try {
      if (Files.readAllLines(note).equals(lines)) {
        Files.delete(note);
      }
    } catch (IOException _) {
      // a note of a process that has ended counts for nothing
    }
  }

  /** The file with the token of the controller that this account runs at a port. */
  public static Optional<Path> tokenFile(Map<String, String> env, int port) {
    List<Path> places = new ArrayList<>();
    directory(env).ifPresent(places::add);
    if (!env.getOrDefault("HOME", "").isEmpty()) {
      places.add(of(PACKAGED)); // the system's administrator may read it
    }
    return places.stream()
        .map(p -> read(p.resolve(Integer.toString(port))))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<Path> read(Path note) {
    try {
      List<String> lines = Files.isReadable(note) ? Files.readAllLines(note) : List.of();
      if (lines.size() != LINES || !lines.get(1).matches("\\d{1,18}")) {
        return Optional.empty();
      }
      Path file = Path.of(lines.getFirst());
      return ProcessHandle.of(Long.parseLong(lines.get(1)))
          .filter(p -> started(p).equals(lines.get(2)) && Files.isReadable(file))
          .map(_ -> file);
    } catch (IOException _) {
      return Optional.empty();
    }
  }
}
