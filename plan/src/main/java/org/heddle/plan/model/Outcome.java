package org.heddle.plan.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The outcome of a change. */
public sealed interface Outcome {
  /**
   * It is durable, and the desired state has it.
   *
   * @param epoch the epoch that it made
   * @param tenant as it is now; empty if it is gone or the change was of something else
   * @param repeated true if this is the answer to an earlier request of the same key
   * @param tables for a dry run that would change tables: the switches and how many of their blocks
   *     would be others
   * @param effects for a dry run: tenants before and after
   * @param vm a machine that was started, as it is now
   * @param migration what became of machines that were to move
   * @param machines for a dry run: machines to which something would happen, by name
   */
  record Accepted(
      long epoch,
      Optional<Tenant> tenant,
      boolean repeated,
      List<SwitchBlocks> tables,
      List<JournalEntry.Effect> effects,
      Optional<Vm> vm,
      Optional<Migration> migration,
      List<MachineEffect> machines)
      implements Outcome {
    public Accepted {
      tables = List.copyOf(tables);
      effects = List.copyOf(effects);
      machines = List.copyOf(machines);
    }

    /** Of something that has happened. */
    public static Accepted of(
        long epoch, Optional<Tenant> tenant, Optional<Vm> vm, Optional<Migration> migration) {
      return new Accepted(epoch, tenant, false, List.of(), List.of(), vm, migration, List.of());
    }

    /** Without a look at the tables, and not of machines. */
    public Accepted(long epoch, Optional<Tenant> tenant, boolean repeated) {
      this(
          epoch,
          tenant,
          repeated,
          List.of(),
          List.of(),
          Optional.empty(),
          Optional.empty(),
          List.of());
    }
  }

  /** Blocks of 64 entries of one switch's table that differ; the switch by node GUID. */
  record SwitchBlocks(long guid, String name, int blocks) {}

  /**
   * What would happen to a machine.
   *
   * @param what what matters most of it
   * @param before as it is; empty if it is not there
   * @param after as it would be; empty if it is not there
   * @param switches whose entries for its LIDs would be others
   */
  record MachineEffect(
      String name, What what, Optional<Vm> before, Optional<Vm> after, int switches) {
    /** What matters, most first. */
    public enum What {
      /** It is not reached any more. */
      STRANDED,
      /** It ends. */
      STOPPED,
      /** It is on another host. */
      MOVED,
      /** It was stranded and is reached again. */
      REACHED,
      /** It was routed by a column of its own, and is routed as its host now. */
      AS_HOST,
      /** It begins. */
      STARTED,
      /** Its packets go other ways, as those of its host do. */
      REROUTED;

      /** For documents. */
      public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
      }
    }
  }

  /** Everything was that way already. */
  record Unchanged(long epoch, Optional<Tenant> tenant) implements Outcome {}

  /**
   * Nothing was changed.
   *
   * @param hints what would help, and says nothing of other tenants
   * @param hintsOfOthers what would help and names other tenants: not for a tenant's eyes
   */
  record Refused(Code code, String reason, List<String> hints, List<String> hintsOfOthers)
      implements Outcome {
    public Refused {
      hints = List.copyOf(hints);
      hintsOfOthers = List.copyOf(hintsOfOthers);
    }

    /** With hints that say nothing of others. */
    public Refused(Code code, String reason, List<String> hints) {
      this(code, reason, hints, List.of());
    }

    /** Without hints. */
    public static Refused of(Code code, String reason) {
      return new Refused(code, reason, List.of());
    }

    /** The same of one of several changes. */
    public Refused of(String subject) {
      return new Refused(code, subject + ": " + reason, hints, hintsOfOthers);
    }

    /** All hints, for the provider. */
    public List<String> allHints() {
      List<String> out = new ArrayList<>(hints);
      out.addAll(hintsOfOthers);
      return out;
    }
  }

  /** Kinds of refusal. */
  enum Code {
    /** The request contradicts itself or names what cannot be. */
    INVALID,
    /** There is no such thing. */
    NOT_FOUND,
    /** Something else has that name or key. */
    CONFLICT,
    /** The version that was asked for is not the current one. */
    STALE,
    /** There is no place, or no routing, for it. */
    NO_PLACE,
    /** It is more than the owner may have. */
    QUOTA,
    /** It could not be proven from the tables. */
    UNPROVEN,
    /** The key of the request was used for another request. */
    KEY_REUSED,
    /** Too many requests wait, the store is not to be reached, or this process does not lead. */
    UNAVAILABLE
  }
}
