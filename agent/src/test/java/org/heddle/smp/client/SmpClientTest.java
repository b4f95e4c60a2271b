package org.heddle.smp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.mad.AttributeId;
import org.heddle.mad.MadMethod;
import org.heddle.mad.Notice;
import org.heddle.mad.Smp;
import org.heddle.mad.TransactionId;
import org.heddle.smp.Fabrics;
import org.heddle.smp.FakeNetwork;
import org.heddle.smp.discover.DiscoveredFabric;
import org.heddle.smp.discover.FabricDiscovery;
import org.heddle.smp.transport.TransportSpec;
import org.heddle.smp.write.PlannedSmp;
import org.heddle.smp.write.SmpPlan;
import org.heddle.smp.write.TableWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests and answers over a network that misbehaves; no real time passes. */
class SmpClientTest {
  private static final long MS = 1_000_000;
  private static final SmpRoute LEAF = SmpRoute.directed(1);

  private final Fabric fabric = Fabrics.damagedTree();
  private final FakeNetwork network = new FakeNetwork(fabric, Fabrics.anAdapter(fabric), 1);
  private final int leaf = fabric.peerNode(fabric.port(network.here, 1));

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void every_request_has_one_outcome_and_the_right_one_whatever_the_network_does(long seed) {
    FakeNetwork bad = new FakeNetwork(fabric, network.here, seed);
    bad.lossPercent = 15;
    bad.doublePercent = 20;
    bad.busyPercent = 5;
    bad.spread = true; // answers overtake each other and come after the timer
    int blocks = 600;
    for (int block = 0; block < blocks; block++) {
      Arrays.fill(bad.tables[leaf], block * 64, block * 64 + 64, (byte) (block * 7));
    }
    int[] outcomes = new int[blocks];
    int[] wrong = new int[1];
    int[] silent = new int[1];
    try (SmpClient client = bad.client(16)) {
      for (int i = 0; i < blocks; i++) {
        int block = i;
        client.get(
            LEAF,
            AttributeId.LINEAR_FORWARDING_TABLE,
            block,
            outcome -> {
              outcomes[block]++;
              if (outcome instanceof SmpOutcome.Answer(Smp smp)) {
                wrong[0] += smp.buffer()[Smp.DATA + 5] == (byte) (block * 7) ? 0 : 1;
              } else {
                silent[0]++;
              }
            });
      }
      client.drain();
      assertThat(outcomes).containsOnly(1);
      assertThat(wrong[0]).isZero();
      assertThat(silent[0]).isLessThan(5); // eight attempts
      assertThat(client.sent()).isEqualTo(blocks);
      assertThat(client.resent()).isPositive();
      assertThat(client.ignored()).isPositive();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 16, 64})
  void no_more_requests_are_under_way_than_the_window_says(int window) {
    try (SmpClient client = network.client(window)) {
      for (int i = 0; i < 500; i++) {
        client.get(LEAF, AttributeId.NODE_INFO, 0, outcome -> {});
      }
      client.drain();
      assertThat(network.mostUnderWay).isEqualTo(window);
      assertThat(client.resent()).isZero();
    }
  }

  @Test
  void a_node_that_never_answers_is_asked_as_often_as_allowed_and_as_long() {
    network.lossPercent = 100;
    long start = network.nowNs();
    try (SmpClient client = network.client(4)) {
      SmpOutcome outcome = client.call(LEAF, MadMethod.GET, AttributeId.NODE_INFO, 0, null);
      assertThat(outcome).isEqualTo(new SmpOutcome.Silence(8));
      assertThat(outcome).hasToString("no answer to 8 attempts");
      assertThat(network.nowNs() - start).isEqualTo(8 * 200 * MS);
      assertThat(client.resent()).isEqualTo(7);
    }
  }

  @Test
  void a_late_answer_to_the_first_attempt_counts_and_the_second_answer_is_dropped() {
    network.extraDelayNs = 250 * MS;
    try (SmpClient client = network.client(4)) {
      long start = network.nowNs();
      SmpOutcome outcome = client.call(LEAF, MadMethod.GET, AttributeId.NODE_INFO, 0, null);
      assertThat(outcome).isInstanceOf(SmpOutcome.Answer.class);
      assertThat(network.nowNs() - start).isBetween(250 * MS, 251 * MS);
      assertThat(client.resent()).isEqualTo(1);
      client.listen(500 * MS);
      assertThat(client.ignored()).isEqualTo(1);
    }
  }

  @Test
  void a_loss_that_is_told_is_made_up_for_at_once() {
    network.tellsLosses = true;
    network.lossPercent = 30;
    long start = network.nowNs();
    try (SmpClient client = network.client(1)) {
      for (int i = 0; i < 50; i++) {
        client.get(LEAF, AttributeId.NODE_DESCRIPTION, 0, outcome -> {});
      }
      client.drain();
      assertThat(client.resent()).isPositive();
      assertThat(network.nowNs() - start).isLessThan(50L * 200 * MS);
    }
  }

  @Test
  void when_too_many_do_not_answer_the_rest_is_not_sent() {
    network.lossPercent = 100;
    try (SmpClient client = network.client(4)) {
      client.patience(4);
      List<String> outcomes = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        client.get(LEAF, AttributeId.NODE_INFO, 0, outcome -> outcomes.add(outcome.toString()));
      }
      client.drain();
      assertThat(outcomes).hasSize(100);
      assertThat(outcomes.getLast()).isEqualTo("not asked, since too many others do not answer");
      assertThat(client.sent()).isBetween(4L, 7L).isEqualTo(client.silent());
      network.lossPercent = 0;
      client.patience(Long.MAX_VALUE);
      assertThat(client.call(LEAF, MadMethod.GET, AttributeId.NODE_INFO, 0, null))
          .isInstanceOf(SmpOutcome.Answer.class);
    }
  }

  @Test
  void a_refusal_is_told_with_its_reason() {
    try (SmpClient client = network.client(4)) {
      SmpOutcome outcome = client.call(LEAF, MadMethod.GET, AttributeId.SM_INFO, 0, null);
      assertThat(outcome).isEqualTo(new SmpOutcome.Refusal(0x0c));
      assertThat(outcome).hasToString("attribute not supported by this method");
    }
  }

  @Test
  void a_node_that_is_always_busy_is_refused_in_the_end() {
    network.busyPercent = 100;
    try (SmpClient client = network.client(4)) {
      SmpOutcome outcome = client.call(LEAF, MadMethod.GET, AttributeId.NODE_INFO, 0, null);
      assertThat(outcome).hasToString("busy, request discarded");
      assertThat(client.resent()).isEqualTo(7);
    }
  }

  @Test
  void answers_that_belong_to_nothing_are_ignored() {
    Smp stray = FakeNetwork.datagram();
    stray.toDirectedRequest(MadMethod.GET_RESPONSE, AttributeId.NODE_INFO, 0, new byte[0]);
    for (int slot = 0; slot < TransactionId.SLOTS; slot++) {
      stray.transactionId(TransactionId.of(77, slot, 0));
      network.deliver(stray.buffer(), 0);
    }
    stray.attributeId(AttributeId.PORT_INFO); // the right number, another question
    stray.transactionId(TransactionId.of(1, 0, 0));
    network.deliver(stray.buffer(), 0);
    try (SmpClient client = network.client(4)) {
      SmpOutcome outcome = client.call(LEAF, MadMethod.GET, AttributeId.NODE_INFO, 0, null);
      assertThat(outcome).isInstanceOf(SmpOutcome.Answer.class);
      assertThat(client.ignored()).isEqualTo(TransactionId.SLOTS + 1);
    }
  }

  @Test
  void handlers_may_ask_further_questions_in_a_chain_of_any_length() {
    try (SmpClient client = network.client(2)) {
      int[] count = new int[1];
      chain(client, count);
      client.drain();
      assertThat(count[0]).isEqualTo(20_000);
    }
  }

  private static void chain(SmpClient client, int[] count) {
    client.get(
        LEAF,
        AttributeId.NODE_INFO,
        0,
        outcome -> {
          if (++count[0] < 20_000) {
            chain(client, count);
          }
        });
  }

  @Test
  void traps_are_told_and_their_sender_is_told_to_stop() {
    Smp trap = FakeNetwork.datagram();
    trap.toLidRequest(MadMethod.TRAP, AttributeId.NOTICE, 0);
    trap.transactionId(0x1234_5678_9abcL);
    Notice notice = new Notice().wrap(trap);
    notice.type(true, 1);
    notice.trapNumber(Notice.LINK_STATE_CHANGED);
    notice.issuerLid(9);
    notice.subjectLid(9);
    network.deliver(trap.buffer(), 3 * MS);
    List<String> heard = new ArrayList<>();
    try (SmpClient client = network.client(4)) {
      client.onTrap(n -> heard.add(n.describe()));
      client.listen(10 * MS);
    }
    assertThat(heard).containsExactly("trap 128: link state changed at LID 9");
    Smp repress = new Smp().wrap(network.unanswerable.getFirst(), 0);
    assertThat(repress.method()).isEqualTo(MadMethod.TRAP_REPRESS);
    assertThat(repress.transactionId()).isEqualTo(0x1234_5678_9abcL);
    assertThat(network.nowNs()).isEqualTo(1_000_000 + 10 * MS);
  }

  @Test
  void a_broken_transport_is_an_exception_that_says_which() {
    network.breakAfterSets = 0;
    try (SmpClient client = network.client(4)) {
      assertThatThrownBy(
              () -> client.call(LEAF, MadMethod.SET, AttributeId.SWITCH_INFO, 0, new byte[64]))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessage("a fake network: the cable of this host is gone");
    }
  }

  @Test
  void options_out_of_range_are_refused() {
    assertThatThrownBy(() -> new SmpOptions(0, 200, 4)).hasMessageContaining("1..256");
    assertThatThrownBy(() -> new SmpOptions(257, 200, 4)).hasMessageContaining("1..256");
    assertThatThrownBy(() -> new SmpOptions(1, 0, 4)).hasMessageContaining("timeout");
    assertThatThrownBy(() -> new SmpOptions(1, 200, 17)).hasMessageContaining("1..16");
  }

  @Test
  void ways_are_read_as_users_write_them() {
    assertThat(TransportSpec.parse("umad")).isEqualTo(new TransportSpec.Umad("", 0));
    assertThat(TransportSpec.parse("umad:mlx5_0")).isEqualTo(new TransportSpec.Umad("mlx5_0", 0));
    assertThat(TransportSpec.parse("umad:mlx5_0:2")).isEqualTo(new TransportSpec.Umad("mlx5_0", 2));
    assertThat(TransportSpec.parse("ibsim:localhost:7000"))
        .isEqualTo(new TransportSpec.Ibsim("localhost", 7000, ""));
    assertThat(TransportSpec.parse("ibsim:localhost:7000:H_0_0"))
        .isEqualTo(new TransportSpec.Ibsim("localhost", 7000, "H_0_0"));
    for (String bad :
        List.of("", "tcp:x", "umad:", "umad:a:0", "umad:a:b:c", "ibsim", "ibsim:x", "ibsim::7")) {
      assertThatThrownBy(() -> TransportSpec.parse(bad))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void routes_are_written_as_the_diagnostics_write_them() {
    assertThat(SmpRoute.HERE).hasToString("0");
    assertThat(SmpRoute.directed(1, 200).then(19)).hasToString("0,1,200,19");
    assertThat(SmpRoute.toLid(7)).hasToString("lid 7");
    assertThat(SmpRoute.directed(1).then(2)).isEqualTo(SmpRoute.directed(1, 2));
  }

  @Test
  void the_management_key_goes_with_every_request() {
    try (SmpClient client = network.client(4)) {
      client.call(LEAF, MadMethod.GET, AttributeId.NODE_INFO, 0, null);
      assertThat(network.mKey).isZero();
      client.mKey(0x1234_5678_9abc_def0L);
      client.call(LEAF, MadMethod.GET, AttributeId.NODE_INFO, 0, null);
      assertThat(network.mKey).isEqualTo(0x1234_5678_9abc_def0L);
    }
  }

  @Test
  void blocks_are_written_until_somebody_may_not_go_on_or_a_switch_refuses() {
    try (SmpClient client = network.client(4)) {
      DiscoveredFabric found = FabricDiscovery.run(client);
      byte[] ports = new byte[64];
      Arrays.fill(ports, (byte) 3);
      long guid = fabric.nodeGuid(leaf);
      SmpPlan plan =
          new SmpPlan(
              List.of(PlannedSmp.block(0, guid, 1, ports), PlannedSmp.block(1, guid, 2, ports)));
      int[] asked = new int[1];
      assertThat(TableWriter.write(client, found, plan, () -> asked[0]++ == 0))
          .contains("this process must not write any more");
      assertThat(network.tables[leaf][64]).isEqualTo((byte) 3);
      assertThat(network.tables[leaf][128]).isEqualTo((byte) 255);
      assertThat(TableWriter.write(client, found, plan, () -> true)).isEmpty();
      assertThat(network.tables[leaf][128]).isEqualTo((byte) 3);
      network.mute = leaf;
      assertThat(TableWriter.write(client, found, plan, () -> true).orElse(""))
          .contains("no answer");
    }
  }
}
