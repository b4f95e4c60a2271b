package org.heddle.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.mad.AttributeId;
import org.heddle.mad.MadMethod;
import org.heddle.mad.Notice;
import org.heddle.mad.PortInfo;
import org.heddle.mad.Smp;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOptions;
import org.heddle.smp.client.SmpOutcome;
import org.heddle.smp.client.SmpRoute;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.MachineWiring;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;

/** An emulated subnet with a subnet manager's client at its first adapter. */
final class Subnet {
  /** How often its client sends a request at most. */
  static final int ATTEMPTS = 8;

  final Fabric fabric;
  final VirtualClock clock = new VirtualClock();
  final Emulator emulator;
  final int home;
  final SmpClient client;
  final List<Notice> heard = new ArrayList<>();

  Subnet(Fabric fabric, EmulatorOptions options) {
    this.fabric = fabric;
    this.emulator = new Emulator(fabric, options, clock);
    this.home = new NodeFinder(fabric).anyPort();
    this.client = client(home, true);
    client.onTrap(n -> heard.add(new Notice().wrap(n.copy(), 0)));
  }

  static Subnet of(Fabric fabric) {
    return new Subnet(fabric, EmulatorOptions.DEFAULT);
  }

  /** The same with LIDs, tables and active links; traps go to the first adapter. */
  static Subnet up(Fabric fabric) {
    Subnet subnet = of(fabric.withAssignedLids());
    subnet.emulator.bringUp(routes(subnet.fabric), subnet.fabric.lid(subnet.home));
    return subnet;
  }

  static ForwardingTables routes(Fabric fabric) {
    RoutingResult result =
        Catalog.engine("ftree")
            .orElseThrow()
            .route(RoutingRequest.of(fabric, FatTreeRecogniser.recognise(fabric)));
    return ((RoutingResult.Routed) result).tables();
  }

  /** Two levels, 16 hosts. */
  static Fabric small() {
    return TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,4;1,4)"));
  }

  /** Three levels, 64 hosts, without some links, its ports shuffled. */
  static Fabric damaged() {
    Fabric tree =
        FabricShuffle.ports(TreeGenerator.generate(TreeSpec.parse("XGFT(3;4,4,4;1,4,4)")), 5);
    DamageSpec damage = DamageSpec.none(5).withLinks(DamageSpec.Amount.of(4)).keepingConnected();
    return FabricDamage.apply(tree, damage).fabric();
  }

  /** Machines with four adapters each. */
  static Fabric rails() {
    return MachineWiring.generate(TreeSpec.parse("XGFT(2;4,8;1,4)"), 4, 1);
  }

  SmpClient client(int port, boolean manager) {
    return new SmpClient(
        new EmulatorTransport(emulator, clock, port, manager),
        new SmpOptions(64, 200, ATTEMPTS),
        clock);
  }

  /** One that does not give up early. */
  SmpClient stubbornClient() {
    return new SmpClient(
        new EmulatorTransport(emulator, clock, home, false), new SmpOptions(64, 200, 16), clock);
  }

  /** The port by which an adapter's port is cabled to its switch. */
  int edge(int port) {
    return fabric.peer(port);
  }

  int adapterPort(int i) {
    return fabric.port(fabric.switchCount() + i, 1);
  }

  SmpOutcome ask(SmpRoute route, int method, int attribute, int modifier, byte[] data) {
    return client.call(route, method, attribute, modifier, data);
  }

  byte[] get(SmpRoute route, int attribute, int modifier) {
    return data(ask(route, MadMethod.GET, attribute, modifier, null));
  }

  byte[] set(SmpRoute route, int attribute, int modifier, byte[] data) {
    return data(ask(route, MadMethod.SET, attribute, modifier, data));
  }

  static byte[] data(SmpOutcome outcome) {
    assertThat(outcome).isInstanceOf(SmpOutcome.Answer.class);
    Smp smp = ((SmpOutcome.Answer) outcome).smp();
    return Arrays.copyOfRange(smp.buffer(), smp.dataOffset(), smp.dataOffset() + Smp.DATA_SIZE);
  }

  /** PortInfo, to be changed and set: nothing in it orders a change of state. */
  byte[] portInfo(SmpRoute route, int number) {
    byte[] bytes = get(route, AttributeId.PORT_INFO, number);
    PortInfo info = new PortInfo().wrap(bytes, 0);
    info.portState(0);
    info.physicalState(0);
    return bytes;
  }

  SmpOutcome setPort(SmpRoute route, int number, byte[] info) {
    return ask(route, MadMethod.SET, AttributeId.PORT_INFO, number, info);
  }

  /** Lets time pass. */
  void pass(long ms) {
    client.listen(ms * 1_000_000);
  }

  List<Integer> traps() {
    return heard.stream().map(Notice::trapNumber).toList();
  }
}
