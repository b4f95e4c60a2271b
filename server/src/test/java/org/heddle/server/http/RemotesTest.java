package org.heddle.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Whose word counts about where a request comes from. */
class RemotesTest {
  private final Remotes remotes = new Remotes(List.of("10.0.0.1", "10.1.0.0/16", "2001:db8::/32"));

  @Test
  void whoComesStraightIsWhoItIs() {
    assertThat(remotes.of("192.0.2.7", List.of())).isEqualTo("192.0.2.7");
    assertThat(remotes.of("192.0.2.7", List.of("198.51.100.1"))).isEqualTo("192.0.2.7");
    assertThat(new Remotes(List.of()).of("10.0.0.1", List.of("198.51.100.1")))
        .isEqualTo("10.0.0.1");
  }

  @Test
  void aNamedProxyIsBelieved() {
    assertThat(remotes.of("10.0.0.1", List.of("192.0.2.7"))).isEqualTo("192.0.2.7");
    assertThat(remotes.of("10.0.0.1", List.of("192.0.2.7:4711"))).isEqualTo("192.0.2.7");
    assertThat(remotes.of("[2001:db8::1]", List.of("192.0.2.7"))).isEqualTo("192.0.2.7");
    assertThat(remotes.of("10.0.0.1", List.of("[2001:db9::5]:80")))
        .isEqualTo("2001:db9:0:0:0:0:0:5");
    assertThat(remotes.of("10.0.0.1", List.of())).isEqualTo("10.0.0.1");
  }

  /** What the sender wrote before the proxies added theirs is the sender's word. */
  @Test
  void onlyWhatNamedProxiesAddedCounts() {
    assertThat(remotes.of("10.0.0.1", List.of("1.1.1.1, 192.0.2.7"))).isEqualTo("192.0.2.7");
    assertThat(remotes.of("10.0.0.1", List.of("1.1.1.1, 192.0.2.7, 10.1.2.3")))
        .isEqualTo("192.0.2.7");
    assertThat(remotes.of("10.0.0.1", List.of("1.1.1.1", "192.0.2.7", "10.1.2.3")))
        .isEqualTo("192.0.2.7");
    assertThat(remotes.of("10.0.0.1", List.of("1.1.1.1, nonsense, 10.1.2.3")))
        .isEqualTo("10.1.2.3");
    assertThat(remotes.of("10.0.0.1", List.of("10.1.2.3"))).isEqualTo("10.1.2.3");
  }
}
