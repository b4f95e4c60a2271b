package org.heddle.plan.model;

import java.util.Optional;

/**
 * A virtual machine as it should be.
 *
 * @param name unique in the fabric
 * @param tenant the tenant it belongs to
 * @param host that it runs on
 * @param portGuid of the adapter's port there
 * @param function virtual function of that port, from 0
 * @param vguid for life; never given to another machine
 * @param lid its own, or that of the port
 * @param ownLid true if the LID is its own and moves with it
 * @param weight its share of the host's link relative to other machines there
 * @param created epoch of its start
 * @param changed epoch of its last change: its version
 * @param stranded why it is not reached at present; empty if it is
 * @param column the ports by which switches forward to its own LID, where these differ from its
 *     host's
 */
public record Vm(
    String name,
    String tenant,
    HostRef host,
    long portGuid,
    int function,
    long vguid,
    int lid,
    boolean ownLid,
    int weight,
    long created,
    long changed,
    String stranded,
    Optional<Column> column) {

  /** True if it has a LID of its own that switches must have entries for. */
  public boolean routed() {
    return ownLid && stranded.isEmpty();
  }

  /** The same routed otherwise. */
  public Vm with(Optional<Column> other) {
    return new Vm(
        name, tenant, host, portGuid, function, vguid, lid, ownLid, weight, created, changed,
        stranded, other);
  }

  /** The same reached or not, under a LID, changed at an epoch. */
  public Vm with(int otherLid, String why, long epoch) {
    return new Vm(
        name, tenant, host, portGuid, function, vguid, otherLid, ownLid, weight, created, epoch,
        why, column);
  }

  /** The same on another host, routed as that, changed at an epoch. */
  public Vm at(HostRef other, long port, int itsFunction, int itsLid, long epoch) {
    return new Vm(
        name,
        tenant,
        other,
        port,
        itsFunction,
        vguid,
        itsLid,
        ownLid,
        weight,
        created,
        epoch,
        "",
        Optional.empty());
  }

  /** The same as of another epoch. */
  public Vm as(long epoch) {
    return new Vm(
        name, tenant, host, portGuid, function, vguid, lid, ownLid, weight, created, epoch,
        stranded, column);
  }

  /** The same without its column: what the journal keeps. */
  public Vm bare() {
    return column.isEmpty() ? this : with(Optional.empty());
  }

  /** True if the tables have the same for both. */
  public boolean routedAs(Vm other) {
    return this == other
        || routed() == other.routed()
            && (!routed()
                || lid == other.lid && portGuid == other.portGuid && column.equals(other.column));
  }
}
