package org.heddle.plan;

import java.util.List;
import org.heddle.plan.model.Outcome;
import org.heddle.routing.ForwardingTables;
import org.heddle.verify.ProvenTables;

/**
 * The tables of a state, or a sentence why there are none.
 *
 * @param plain those of the tenants, without machines
 * @param machines with the columns that the tables have
 * @param notes what an operator should know, one sentence each
 * @param proof null as long as they are not proven
 * @param culprit of the trouble, if it is one tenant's: with its promise given up there may be
 *     tables; else null
 */
public record Tables(
    ForwardingTables plain,
    ForwardingTables tables,
    VmInventory machines,
    Outcome.Code code,
    String trouble,
    List<String> notes,
    ProvenTables proof,
    String culprit) {
  static Tables refused(Outcome.Code code, String trouble) {
    return refused(code, trouble, null);
  }

  static Tables refused(Outcome.Code code, String trouble, String culprit) {
    return new Tables(null, null, null, code, trouble, List.of(), null, culprit);
  }

  static Tables plain(ForwardingTables plain, List<String> notes) {
    return new Tables(plain, plain, null, null, null, notes, null, null);
  }

  /** The same with machines; proven if these are the tables that were. */
  public Tables with(VmInventory others, ForwardingTables all) {
    return new Tables(plain, all, others, null, null, notes, all == tables ? proof : null, null);
  }

  Tables proven(ProvenTables by) {
    return new Tables(plain, tables, machines, null, null, notes, by, null);
  }

  public boolean ok() {
    return trouble == null;
  }
}
