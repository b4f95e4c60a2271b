package org.heddle.routing.links;

import java.util.Arrays;

/**
 * A tenant with links of its own, as routing sees it: where its hosts are attached, and which links
 * only they may use among themselves.
 *
 * @param name for messages
 * @param hostPorts port ids of the hosts, each with a LID; their order decides which of its links a
 *     host gets
 * @param rails by host port: the links join ports with equal numbers; between others there may be
 *     none
 * @param links links between switches by the port id of one end, whichever; empty if all hosts are
 *     on one leaf
 */
public record Region(String name, int[] hostPorts, int[] rails, int[] links) {
  public Region {
    if (rails.length != hostPorts.length) {
      throw new IllegalArgumentException("rails of other ports");
    }
    hostPorts = hostPorts.clone();
    rails = rails.clone();
    links = links.clone();
  }

  /** One whose links join all its ports. */
  public Region(String name, int[] hostPorts, int[] links) {
    this(name, hostPorts, new int[hostPorts.length], links);
  }

  @Override
  public int[] rails() {
    return rails.clone();
  }

  @Override
  public int[] hostPorts() {
    return hostPorts.clone();
  }

  @Override
  public int[] links() {
    return links.clone();
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Region r
        && name.equals(r.name)
        && Arrays.equals(hostPorts, r.hostPorts)
        && Arrays.equals(rails, r.rails)
        && Arrays.equals(links, r.links);
  }

  @Override
  public int hashCode() {
    return name.hashCode() * 31 + Arrays.hashCode(hostPorts);
  }
}
