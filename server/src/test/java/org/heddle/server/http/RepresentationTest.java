package org.heddle.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RepresentationTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "gzip",
        "GZIP",
        "x-gzip",
        "*",
        "br, gzip",
        "gzip;q=0.5",
        "*;q=0, gzip",
        "identity, *;q=0.1",
        "gzip ; q=1.000 , br",
        "br;q=1,gzip;q=0.001"
      })
  void whoTakesGzipGetsIt(String accepted) {
    assertThat(Representation.takesGzip(accepted)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "br",
        "identity",
        "gzip;q=0",
        "*;q=0",
        "*; q=0.0",
        "gzip;q=0, *",
        "gzip;q=0.000, br",
        "deflate, *;Q=0",
        "gzipped"
      })
  void whoDoesNotGetsNone(String accepted) {
    assertThat(Representation.takesGzip(accepted)).isFalse();
  }
}
