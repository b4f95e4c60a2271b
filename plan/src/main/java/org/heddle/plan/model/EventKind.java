package org.heddle.plan.model;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Kinds of events, and of the changes in the journal. Documents and databases contain their {@link
 * #word}; a word that was ever sent stays valid, since databases keep it.
 */
public enum EventKind {
  /** A tenant was admitted. */
  TENANT_CREATED(Severity.INFO, About.TENANT),
  /** A tenant asked for something else, or got something else. */
  TENANT_CHANGED(Severity.INFO, About.TENANT),
  /** A tenant left. */
  TENANT_DELETED(Severity.INFO, About.TENANT),
  /** Ports were added to a partition. */
  MEMBERS_ADDED(Severity.INFO, About.TENANT),
  /** Ports were taken out of a partition. */
  MEMBERS_REMOVED(Severity.INFO, About.TENANT),
  /** A partition got another quality of service. */
  QUALITY_SET(Severity.INFO, About.TENANT),
  /** A tenant has other hosts or links, since the fabric changed, and all it was promised. */
  REPLANNED(Severity.INFO, About.TENANT),
  /** What a tenant was promised does not hold any more. */
  PROMISE_BROKEN(Severity.TROUBLE, About.TENANT),
  /** What a tenant was promised holds again. */
  PROMISE_RESTORED(Severity.INFO, About.TENANT),
  /** A virtual machine was started. */
  VM_STARTED(Severity.INFO, About.VM),
  /** A virtual machine was stopped. */
  VM_STOPPED(Severity.INFO, About.VM),
  /** A virtual machine is on another host. */
  VM_MOVED(Severity.INFO, About.VM),
  /** A virtual machine is not reached any more. */
  VM_STRANDED(Severity.TROUBLE, About.VM),
  /** A virtual machine is reached again. */
  VM_RESTORED(Severity.INFO, About.VM),
  /** A link was taken out of service. */
  LINK_DRAINED(Severity.WARNING, About.LINK),
  /** A link is in service again. */
  LINK_RETURNED(Severity.INFO, About.LINK),
  /** A switch was taken out of service. */
  NODE_DRAINED(Severity.WARNING, About.NODE),
  /** A switch is in service again. */
  NODE_RETURNED(Severity.INFO, About.NODE),
  /** Links or nodes came or went. */
  FABRIC_CHANGED(Severity.INFO, About.FABRIC),
  /** What the fabric lacks is not waited for any more. */
  FABRIC_WRITTEN_OFF(Severity.WARNING, About.FABRIC),
  /** A plan's changes were made. */
  PLAN_APPLIED(Severity.INFO, About.FABRIC),
  /** Tenants and machines are what they were at an epoch. */
  ROLLED_BACK(Severity.INFO, About.FABRIC),
  /** The fabric's tables are those that it should have. */
  IN_SYNC(Severity.INFO, About.FABRIC),
  /** Somebody else changed the fabric's tables, keys or subnet manager. */
  DRIFT(Severity.TROUBLE, About.FABRIC),
  /** The fabric cannot be read or written, or does not take what it should. */
  TROUBLE(Severity.TROUBLE, About.FABRIC);

  /** How much it matters. */
  public enum Severity {
    /** It was meant. */
    INFO,
    /** It was meant, and leaves the fabric with less than it has. */
    WARNING,
    /** Somebody should look. */
    TROUBLE;

    /** For documents. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What the subject of an event is. */
  public enum About {
    /** A tenant's name. */
    TENANT,
    /** A virtual machine's name. */
    VM,
    /** A link's id: GUID and port of its lower end. */
    LINK,
    /** A node's GUID. */
    NODE,
    /** The fabric as a whole. */
    FABRIC;

    /** For documents. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final Map<String, EventKind> BY_WORD = new HashMap<>();

  static {
    for (EventKind kind : values()) {
      BY_WORD.put(kind.word, kind);
    }
  }

  private final String word;
  private final Severity severity;
  private final About about;

  EventKind(Severity severity, About about) {
    this.word = name().toLowerCase(Locale.ROOT).replace('_', '-');
    this.severity = severity;
    this.about = about;
  }

  /** The word of documents, such as {@code tenant-created}. */
  public String word() {
    return word;
  }

  /** How much it matters. */
  public Severity severity() {
    return severity;
  }

  /** What its subject is. */
  public About about() {
    return about;
  }

  /** The kind of a word, or empty. */
  public static Optional<EventKind> of(String word) {
    return Optional.ofNullable(BY_WORD.get(word));
  }
}
