package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.heddle.mad.MadMethod;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOptions;
import org.heddle.smp.client.SmpOutcome;
import org.heddle.smp.client.SmpRoute;
import org.heddle.smp.transport.SmpTransport;
import org.heddle.smp.transport.TransportSpec;

/** Management datagrams of a test's own, beside those of whom it watches. */
final class Smps {
  private static final int ATTRIBUTE = 64;

  private Smps() {}

  /** A client; {@code via} as for {@code --via}. */
  static SmpClient client(String via) throws IOException {
    SmpTransport transport = TransportSpec.parse(via).open(false);
    return new SmpClient(transport, SmpOptions.of(transport), System::nanoTime);
  }

  /** An attribute, which has to be answered. */
  static byte[] get(SmpClient client, SmpRoute route, int attribute, int modifier) {
    SmpOutcome.Answer answer =
        (SmpOutcome.Answer) client.call(route, MadMethod.GET, attribute, modifier, null);
    byte[] data = new byte[ATTRIBUTE];
    System.arraycopy(answer.smp().buffer(), answer.smp().dataOffset(), data, 0, ATTRIBUTE);
    return data;
  }

  /** Sets an attribute, which has to be taken. */
  static void set(SmpClient client, SmpRoute route, int attribute, int modifier, byte[] data) {
    assertThat(client.call(route, MadMethod.SET, attribute, modifier, data))
        .isInstanceOf(SmpOutcome.Answer.class);
  }
}
