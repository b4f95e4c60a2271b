package org.heddle.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.heddle.mad.AttributeId;
import org.heddle.mad.MadMethod;
import org.heddle.mad.Notice;
import org.heddle.mad.PortInfo;
import org.heddle.smp.client.SmpOutcome;
import org.heddle.smp.client.SmpRoute;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ManagementKeysTest {
  private static final long KEY = 0x1122_3344_5566_7788L;
  private static final int LEASE_S = 60;

  private final Subnet subnet = Subnet.up(Subnet.damaged());
  private final int port = subnet.adapterPort(30);
  private final SmpRoute route = SmpRoute.toLid(subnet.fabric.lid(port));

  private void lock(SmpRoute at, int level, int lease) {
    byte[] bytes = subnet.portInfo(at, 0);
    PortInfo info = new PortInfo().wrap(bytes, 0);
    info.mKey(KEY);
    info.mKeyProtectBits(level);
    info.mKeyLeasePeriod(lease);
    subnet.set(at, AttributeId.PORT_INFO, 0, bytes);
  }

  private PortInfo withKey() {
    subnet.client.mKey(KEY);
    PortInfo info = new PortInfo().wrap(subnet.get(route, AttributeId.PORT_INFO, 0), 0);
    subnet.client.mKey(0);
    return info;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void levels_protect_what_they_say(int level) {
    lock(route, level, 0);
    SmpOutcome get = subnet.ask(route, MadMethod.GET, AttributeId.PORT_INFO, 0, null);
    if (level < 2) {
      PortInfo info = new PortInfo().wrap(Subnet.data(get), 0);
      assertThat(info.mKey()).isEqualTo(level == 0 ? KEY : 0);
    } else {
      assertThat(get).isInstanceOf(SmpOutcome.Silence.class);
    }
    int violations = level < 2 ? 0 : Subnet.ATTEMPTS;
    assertThat(withKey().mKeyViolations()).isEqualTo(violations);
    byte[] bytes = new byte[64];
    assertThat(subnet.ask(route, MadMethod.SET, AttributeId.PORT_INFO, 0, bytes))
        .isInstanceOf(SmpOutcome.Silence.class);
    assertThat(withKey().mKeyViolations()).isEqualTo(violations + Subnet.ATTEMPTS);
    assertThat(withKey().mKey()).isEqualTo(KEY);
    subnet.pass(1);
    assertThat(subnet.traps()).isNotEmpty().containsOnly(Notice.BAD_M_KEY);
    Notice last = subnet.heard.getLast();
    assertThat(last.issuerLid()).isEqualTo(subnet.fabric.lid(port));
    assertThat(last.subjectLid()).isEqualTo(subnet.fabric.lid(subnet.home));
    assertThat(last.refusedMethod()).isEqualTo(MadMethod.SET);
    assertThat(last.refusedAttribute()).isEqualTo(AttributeId.PORT_INFO);
    assertThat(last.refusedKey()).isZero();
  }

  @Test
  void a_lease_that_nobody_renews_opens_the_port() {
    lock(route, 2, LEASE_S);
    assertThat(subnet.ask(route, MadMethod.GET, AttributeId.PORT_INFO, 0, null))
        .isInstanceOf(SmpOutcome.Silence.class);
    subnet.pass(LEASE_S * 1_000L - 10_000);
    assertThat(withKey().mKeyProtectBits()).isEqualTo(2); // and the lease has ended
    subnet.pass(LEASE_S * 1_000L);
    assertThat(withKey().mKeyProtectBits()).isEqualTo(2);
    assertThat(subnet.ask(route, MadMethod.GET, AttributeId.PORT_INFO, 0, null))
        .isInstanceOf(SmpOutcome.Silence.class);
    subnet.pass(LEASE_S * 1_000L + 1);
    PortInfo open = new PortInfo().wrap(subnet.get(route, AttributeId.PORT_INFO, 0), 0);
    assertThat(open.mKeyProtectBits()).isZero();
    assertThat(open.mKey()).isEqualTo(KEY); // at level 0 it is told
  }

  @Test
  void a_switch_has_one_key_for_all_its_ports() {
    SmpRoute leaf = SmpRoute.directed(1);
    lock(leaf, 2, 0);
    for (int number = 0; number <= 8; number++) {
      assertThat(subnet.ask(leaf, MadMethod.GET, AttributeId.PORT_INFO, number, null))
          .isInstanceOf(SmpOutcome.Silence.class);
    }
    assertThat(subnet.get(SmpRoute.directed(1, 5), AttributeId.NODE_INFO, 0)).isNotEmpty();
    subnet.client.mKey(KEY);
    assertThat(subnet.get(leaf, AttributeId.PORT_INFO, 3)).isNotEmpty();
  }
}
