package org.heddle.server.http;

import java.util.ArrayList;
import java.util.List;
import org.heddle.control.model.Actor;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.plan.DesiredState;
import org.heddle.plan.model.HostRef;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Tenant;

/** Hosts as they are named in requests: by node GUID, or by name. */
public final class Hosts {
  /** GUIDs as requests name them; with this form a text is never taken for a name. */
  public static final String GUID = "0x[0-9a-fA-F]{1,16}";

  private Hosts() {}

  /**
   * The node GUID of a host for a tenant's machine. For a tenant's token only hosts of that tenant
   * exist.
   *
   * @throws Problem 409 if there is none, 400 if several have the name
   */
  public static long of(Call call, DesiredState v, Tenant tenant, String text) {
    List<Long> found = new ArrayList<>();
    for (long guid : candidates(call, v, tenant)) {
      if (is(v.fabric(), guid, text)) {
        found.add(guid);
      }
    }
    if (found.isEmpty()) {
      throw new Problem(409, "conflict", "there is no host '" + text + "'");
    }
    if (found.size() > 1) {
      throw Problem.malformed(found.size() + " hosts are called '" + text + "': give a GUID");
    }
    return found.getFirst();
  }

  /**
   * The node GUID of any host, for whoever may see all of them.
   *
   * @throws Problem 400 if there is none or several have the name
   */
  public static long any(DesiredState v, String text) {
    Fabric f = v.fabric();
    List<Long> found = all(f);
    found.removeIf(guid -> !is(f, guid, text));
    if (found.size() != 1) {
      String what =
          found.isEmpty()
              ? "there is no host '" + text + "'"
              : found.size() + " hosts are called '" + text + "': give a GUID";
      throw Problem.malformed(what);
    }
    return found.getFirst();
  }

  private static List<Long> all(Fabric f) {
    List<Long> out = new ArrayList<>();
    for (int node = f.switchCount(); node < f.nodeCount(); node++) {
      out.add(f.nodeGuid(node));
    }
    return out;
  }

  private static List<Long> candidates(Call call, DesiredState v, Tenant tenant) {
    Fabric f = v.fabric();
    if (call.actor().role() != Actor.Role.TENANT) {
      return all(f);
    }
    List<Long> out = new ArrayList<>();
    v.adapters(tenant).stream().map(HostRef::guid).forEach(out::add);
    for (Member m : tenant.spec().members()) {
      int port = f.findPort(m.guid());
      if (port != Fabric.NONE && !out.contains(f.nodeGuid(f.nodeOf(port)))) {
        out.add(f.nodeGuid(f.nodeOf(port)));
      }
    }
    return out;
  }

  private static boolean is(Fabric f, long guid, String text) {
    if (text.matches(GUID)) {
      return guid == Guid.parse(text).value();
    }
    int node = f.findNode(guid);
    return node != Fabric.NONE && f.description(node).equals(text);
  }
}
