package org.heddle.smp.client;

import java.util.Arrays;
import org.heddle.mad.Smp;
import org.heddle.smp.transport.SmpTransport;

/** How an SMP gets to its node: hop by hop, or by LID. Immutable. */
public final class SmpRoute {
  /** To the node this program runs on. */
  public static final SmpRoute HERE = new SmpRoute(new byte[0], SmpTransport.DIRECTED);

  private final byte[] path;
  private final int lid;

  private SmpRoute(byte[] path, int lid) {
    this.path = path;
    this.lid = lid;
  }

  /** By forwarding tables, to a unicast LID. */
  public static SmpRoute toLid(int lid) {
    return new SmpRoute(new byte[0], lid);
  }

  /** By directed route: the output port of each node on the way. */
  public static SmpRoute directed(int... ports) {
    byte[] path = new byte[ports.length];
    for (int i = 0; i < ports.length; i++) {
      path[i] = (byte) ports[i];
    }
    return new SmpRoute(path, SmpTransport.DIRECTED);
  }

  /** This directed route and one hop more. */
  public SmpRoute then(int port) {
    byte[] longer = Arrays.copyOf(path, path.length + 1);
    longer[path.length] = (byte) port;
    return new SmpRoute(longer, SmpTransport.DIRECTED);
  }

  /** Hops of a directed route. */
  public int hops() {
    return path.length;
  }

  /** True if a hop more fits into an SMP. */
  public boolean canGrow() {
    return path.length < Smp.MAX_HOPS;
  }

  /** The LID, or {@link SmpTransport#DIRECTED}. */
  public int lid() {
    return lid;
  }

  /** Makes an SMP a request on this route. */
  void fill(Smp smp, int method, int attributeId, int modifier) {
    if (lid == SmpTransport.DIRECTED) {
      smp.toDirectedRequest(method, attributeId, modifier, path);
    } else {
      smp.toLidRequest(method, attributeId, modifier);
    }
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof SmpRoute r && lid == r.lid && Arrays.equals(path, r.path);
  }

  @Override
  public int hashCode() {
    return 31 * lid + Arrays.hashCode(path);
  }

  /** {@code 0,1,19} as the diagnostics write it, or {@code lid 7}. */
  @Override
  public String toString() {
    if (lid != SmpTransport.DIRECTED) {
      return "lid " + lid;
    }
    StringBuilder text = new StringBuilder("0");
    for (byte port : path) {
      text.append(',').append(port & 0xff);
    }
    return text.toString();
  }
}
