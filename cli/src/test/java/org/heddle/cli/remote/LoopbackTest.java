package org.heddle.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoopbackTest {
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.0.0.2", "[::1]", "localhost", "LOCALHOST"})
  void theseAreThisMachine(String host) {
    assertThat(ServerOptions.loopback(host)).isPresent();
  }

  /** A name can be anybody's, and what it resolves to may change. */
  @ParameterizedTest
  @ValueSource(strings = {"127.evil.example", "127.0.0.1.example", "192.0.2.1", "[2001:db8::1]"})
  void theseAreNot(String host) {
    assertThat(ServerOptions.loopback(host)).isEmpty();
  }
}
