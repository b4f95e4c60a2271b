package org.heddle.plan.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * What an operator has taken out of service although it is in the fabric. A link is identified by
 * the ports at both its ends. Any cable in one of these ports stays out of service, so that a cable
 * that comes back, or is plugged into the wrong port, is not used before somebody says so.
 *
 * @param links in the order of their lower ends
 * @param switches node GUIDs, ascending
 */
public record Drained(List<LinkRef> links, List<Long> switches) {
  /** Nothing. */
  public static final Drained NONE = new Drained(List.of(), List.of());

  private static final Comparator<LinkRef> ORDER =
      Comparator.comparing(LinkRef::from, Long::compareUnsigned)
          .thenComparingInt(LinkRef::port)
          .thenComparing(LinkRef::to, Long::compareUnsigned)
          .thenComparingInt(LinkRef::toPort);

  public Drained {
    TreeSet<LinkRef> sorted = new TreeSet<>(ORDER);
    sorted.addAll(links);
    links = List.copyOf(sorted);
    TreeSet<Long> guids = new TreeSet<>(Long::compareUnsigned);
    guids.addAll(switches);
    switches = List.copyOf(guids);
  }

  /** The state of an epoch. */
  public record At(long epoch, Drained drained) {}

  /** True if nothing is out of service. */
  public boolean isEmpty() {
    return links.isEmpty() && switches.isEmpty();
  }

  /** These and others. */
  public Drained with(Drained more) {
    List<LinkRef> l = new ArrayList<>(links);
    l.addAll(more.links);
    List<Long> s = new ArrayList<>(switches);
    s.addAll(more.switches);
    return new Drained(l, s);
  }

  /** These without others. */
  public Drained without(Drained less) {
    List<LinkRef> l = new ArrayList<>(links);
    l.removeAll(less.links);
    List<Long> s = new ArrayList<>(switches);
    s.removeAll(less.switches);
    return new Drained(l, s);
  }

  /** True if the port of that node is an end of a link that is out of service. */
  public boolean hasPort(long guid, int port) {
    return links.stream()
        .anyMatch(
            l -> l.from() == guid && l.port() == port || l.to() == guid && l.toPort() == port);
  }

  /** True if the switch itself is out of service. */
  public boolean hasSwitch(long guid) {
    return switches.contains(guid);
  }
}
