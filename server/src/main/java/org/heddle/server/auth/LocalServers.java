package org.heddle.server.auth;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.files.Replacement;

/**
 * Notes of the controllers that run on this machine, by address and port, in the home of the
 * account that runs them: commands of the same account find the token there. A note says which
 * process serves; while that runs, nobody else can listen at its address, so a token is not sent to
 * somebody who has taken the port of a controller that ended. A note counts only if it, the file
 * that it names and the process are of one account, which is that of the reader or of the packaged
 * service: nobody has another account read its files and send them.
 */
public final class LocalServers {
  /** What Java calls an account that has no name. */
  private static final String NAMELESS = "?";

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
   * Notes that this process serves at an address, under a token in a file.
   *
   * @return what takes the note back
   */
  public static Runnable note(Map<String, String> env, InetSocketAddress at, Path tokenFile) {
    Optional<Path> directory = directory(env);
    if (directory.isEmpty()) {
      return () -> {};
    }
    String name = name(at.getAddress(), at.getPort());
    Path note = directory.get().resolve(name);
    ProcessHandle own = ProcessHandle.current();
    List<String> lines = List.of(tokenFile.toString(), Long.toString(own.pid()), started(own));
    try {
      make(directory.get());
      Path fresh = Files.createTempFile(directory.get(), "." + name, ".new"); // the owner's only
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

  private static String name(InetAddress address, int port) {
    String host = address.getHostAddress().replaceFirst("%.*", ""); // no scope
    return host.replace(':', '.') + "_" + port;
  }

  /**
   * The file with the token of the controller that this account, or the packaged service, runs at a
   * loopback address.
   */
  public static Optional<Path> tokenFile(Map<String, String> env, InetAddress address, int port) {
    if (!address.isLoopbackAddress()) {
      return Optional.empty();
    }
    List<Path> notes = new ArrayList<>();
    String own = account();
    List<String> names = List.of(name(address, port), name(any(address), port));
    for (String name : names) {
      directory(env).map(d -> d.resolve(name)).filter(n -> isOf(n, own)).ifPresent(notes::add);
    }
    if (!env.getOrDefault("HOME", "").isEmpty()) {
      // The system's administrator may read them.
      names.forEach(name -> notes.add(of(PACKAGED).resolve(name)));
    }
    return notes.stream().map(LocalServers::read).flatMap(Optional::stream).findFirst();
  }

  /** Who listens there has every address of the family. */
  private static InetAddress any(InetAddress address) {
    return InetAddress.ofLiteral(address instanceof Inet4Address ? "0.0.0.0" : "::");
  }

  private static boolean isOf(Path file, String account) {
    try {
      return Files.getOwner(file).getName().equals(account);
    } catch (IOException _) {
      return false;
    }
  }

  private static Optional<Path> read(Path note) {
    try {
      List<String> lines = Files.isReadable(note) ? Files.readAllLines(note) : List.of();
      if (lines.size() != LINES || !lines.get(1).matches("\\d{1,18}")) {
        return Optional.empty();
      }
      String account = Files.getOwner(note).getName();
      Path file = Path.of(lines.getFirst());
      return ProcessHandle.of(Long.parseLong(lines.get(1)))
          .filter(p -> started(p).equals(lines.get(2)) && !hasEnded(p))
          .filter(p -> runsAs(p, account))
          .filter(_ -> Files.isReadable(file) && isOf(file, account))
          .map(_ -> file);
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /** The account of this process, as owners of files are called: a number if it has no name. */
  private static String account() {
    String name = System.getProperty("user.name");
    try {
      return NAMELESS.equals(name) ? Files.getOwner(Path.of("/proc/self")).getName() : name;
    } catch (IOException _) {
      return name; // a system without /proc
    }
  }

  private static boolean runsAs(ProcessHandle process, String account) {
    Optional<String> user = process.info().user();
    if (user.isPresent()) {
      return user.get().equals(account);
    }
    return isOf(Path.of("/proc", Long.toString(process.pid())), account);
  }

  /** True for a process that only waits for its parent to ask how it ended: its port is free. */
  private static boolean hasEnded(ProcessHandle process) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
      String state = stat.substring(stat.lastIndexOf(')') + 1).strip();
      return state.startsWith("Z") || state.startsWith("X");
    } catch (IOException _) {
      return false; // a system without /proc
    }
  }
}
