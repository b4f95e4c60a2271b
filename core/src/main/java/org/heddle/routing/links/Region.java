package org.heddle.routing.links;

import java.util.Arrays;

/**
 * A tenant with links of its own, as routing sees it: where its hosts are attached, and which links
 * only they may use among themselves.
 *
 * @param name for messages
 * @param hostPorts port ids of the hosts, each with a LID; their order decides which of its links a
 *     host gets
 * @param links links between switches by the port id of one end, whichever; empty if all hosts are
 *     on one leaf
 */
public record Region(String name, int[] hostPorts, int[] links) {
  public Region {
    hostPorts = hostPorts.clone();
    links = links.clone();
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
        && Arrays.equals(links, r.links);
  }

  @Override
  public int hashCode() {
    return name.hashCode() * 31 + Arrays.hashCode(hostPorts);
  }
}
