package org.heddle.agent;

import org.heddle.fabric.Fabric;
import org.heddle.mad.AttributeId;
import org.heddle.mad.MadMethod;
import org.heddle.mad.PortInfo;
import org.heddle.mad.SmInfo;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOutcome;
import org.heddle.smp.client.SmpRoute;
import org.heddle.smp.discover.DiscoveredFabric;

/**
 * The master of the subnet, as reported by the switches and by itself.
 *
 * @param lid where switches send their traps, 0 if nobody has told them
 * @param answers true if it answers there
 * @param guid of its port; 0 if it does not answer
 * @param where its host for people
 * @param state one of {@link SmInfo}
 * @param activity counts what it does; less than before: it was started again
 */
record SubnetManager(
    int lid, boolean answers, long guid, String where, int priority, int state, long activity) {
  private static final SubnetManager NOBODY = new SubnetManager(0, false, 0, "", 0, 0, 0);

  /** Asks the nearest switch, then the master. Two or three SMPs. */
  static SubnetManager read(SmpClient client, DiscoveredFabric discovered) {
    Fabric fabric = discovered.fabric();
    SmpOutcome told =
        client.call(nearest(discovered), MadMethod.GET, AttributeId.PORT_INFO, 0, null);
    if (!(told instanceof SmpOutcome.Answer info)) {
      return NOBODY;
    }
    int lid = new PortInfo().wrap(info.smp()).masterSmLid();
    if (lid == 0) {
      return NOBODY;
    }
    int port = fabric.portOfLid(lid);
    String where =
        port == Fabric.NONE
            ? "LID " + lid
            : fabric.node(fabric.nodeOf(port)).display() + ", LID " + lid;
    SmpOutcome outcome =
        port == Fabric.NONE
            ? new SmpOutcome.Silence(0)
            : client.call(route(discovered, port), MadMethod.GET, AttributeId.SM_INFO, 0, null);
    if (!(outcome instanceof SmpOutcome.Answer answer)) {
      return new SubnetManager(lid, false, 0, where, 0, 0, 0);
    }
    SmInfo sm = new SmInfo().wrap(answer.smp());
    return new SubnetManager(
        lid, true, sm.guid(), where, sm.priority(), sm.state(), sm.actCount() & 0xffff_ffffL);
  }

  private static SmpRoute nearest(DiscoveredFabric discovered) {
    SmpRoute best = discovered.route(0);
    for (int sw = 1; sw < discovered.fabric().switchCount(); sw++) {
      SmpRoute other = discovered.route(sw);
      best = other.hops() < best.hops() ? other : best;
    }
    return best;
  }

  private static SmpRoute route(DiscoveredFabric discovered, int port) {
    SmpRoute toNode = discovered.route(discovered.fabric().nodeOf(port));
    return toNode.hops() == 0 ? toNode : discovered.routeToPort(port);
  }

  /** True if it answers and says that it is the master. */
  boolean leads() {
    return answers && state == SmInfo.MASTER;
  }

  /** True if it is the one that was seen before, and was not started again meanwhile. */
  boolean continues(SubnetManager before) {
    return leads() && guid == before.guid && activity >= before.activity;
  }

  /** The same after it was found to be silent: whoever answers next does not continue it. */
  SubnetManager ended() {
    return new SubnetManager(lid, false, guid, where, priority, 0, Long.MAX_VALUE);
  }

  /**
   * What is wrong with it, empty for nothing.
   *
   * @param start the command that starts OpenSM
   */
  String trouble(String start) {
    if (lid == 0) {
      return "no subnet manager has been here yet: start OpenSM with " + start;
    }
    if (!answers) {
      return "the subnet manager at "
          + where
          + " does not answer: start OpenSM again with "
          + start
          + "; tables and keys stay as they are until then";
    }
    return state == SmInfo.MASTER
        ? ""
        : "the subnet manager at "
            + where
            + " is not the master (state "
            + state
            + "): it should take over soon; if not, restart OpenSM with "
            + start;
  }
}
