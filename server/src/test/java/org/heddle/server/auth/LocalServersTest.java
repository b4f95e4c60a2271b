package org.heddle.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalServersTest {
  @TempDir Path directory;

  private Map<String, String> env;
  private Path token;

  @BeforeEach
  void write() throws IOException {
    env = Map.of("HOME", directory.resolve("home").toString());
    token = Files.writeString(directory.resolve("heddle.token"), "secret\n");
  }

  private Optional<Path> at(String address, int port) {
    return LocalServers.tokenFile(env, InetAddress.ofLiteral(address), port);
  }

  private Runnable note(String address) {
    return LocalServers.note(
        env, new InetSocketAddress(InetAddress.ofLiteral(address), 8480), token);
  }

  /** Somebody else may listen at the same port of another address. */
  @Test
  void aTokenIsForOneAddress() {
    Runnable forget = note("127.0.0.1");
    assertThat(at("127.0.0.1", 8480)).contains(token);
    assertThat(at("127.0.0.2", 8480)).isEmpty();
    assertThat(at("::1", 8480)).isEmpty();
    assertThat(at("127.0.0.1", 8481)).isEmpty();
    assertThat(at("192.0.2.1", 8480)).isEmpty();
    Runnable other = note("::1");
    assertThat(at("::1", 8480)).contains(token);
    other.run();
    assertThat(at("::1", 8480)).isEmpty();
    assertThat(at("127.0.0.1", 8480)).contains(token);
    forget.run();
    assertThat(at("127.0.0.1", 8480)).isEmpty();
  }

  /** Who listens at every address has all of them. */
  @Test
  void aControllerAtEveryAddressIsFoundAtEach() {
    note("0.0.0.0");
    assertThat(at("127.0.0.1", 8480)).contains(token);
    assertThat(at("127.0.0.2", 8480)).contains(token);
    assertThat(at("::1", 8480)).isEmpty();
  }

  /** The note's process must run, and must not be another one of its number. */
  @Test
  void aNoteOfAnotherProcessCountsForNothing() throws IOException {
    note("127.0.0.1");
    Path note = directory.resolve("home/.local/state/heddle/servers/127.0.0.1_8480");
    String text = Files.readString(note);
    long own = ProcessHandle.current().pid();
    Files.writeString(note, text.replace("\n" + own + "\n", "\n1\n"));
    assertThat(at("127.0.0.1", 8480)).isEmpty();
    Files.writeString(note, text.strip() + "0\n");
    assertThat(at("127.0.0.1", 8480)).isEmpty();
    Files.writeString(note, text);
    assertThat(at("127.0.0.1", 8480)).contains(token);
  }
}
