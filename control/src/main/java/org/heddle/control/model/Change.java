package org.heddle.control.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.heddle.fabric.Fabric;

/** A request to change the desired state. */
public sealed interface Change {
  /** The word for journal and events. */
  String kind();

  /** What it is about: a tenant's name, or the fabric. */
  String subject();

  /** Admits a tenant. Refused if the name is taken by another request. */
  record Create(TenantSpec spec) implements Change {
    @Override
    public String kind() {
      return "tenant-created";
    }

    @Override
    public String subject() {
      return spec.name();
    }
  }

  /**
   * Puts another request in a tenant's place; hosts and links are looked for anew only if what they
   * depend on differs.
   *
   * @param version the version that must be current, if it matters
   */
  record Replace(TenantSpec spec, OptionalLong version) implements Change {
    @Override
    public String kind() {
      return "tenant-changed";
    }

    @Override
    public String subject() {
      return spec.name();
    }
  }

  /** Lets a tenant go. */
  record Delete(String name, OptionalLong version) implements Change {
    @Override
    public String kind() {
      return "tenant-deleted";
    }

    @Override
    public String subject() {
      return name;
    }
  }

  /**
   * Adds members to the tenant with a key; makes it with policy {@code def} if there is none.
   *
   * @param fresh what a new partition is like; owner and name are taken from it
   * @param replace true if all other explicit members go
   */
  record AddMembers(TenantSpec fresh, List<Member> members, boolean replace) implements Change {
    public AddMembers {
      members = List.copyOf(members);
    }

    @Override
    public String kind() {
      return "members-added";
    }

    @Override
    public String subject() {
      return fresh.name();
    }
  }

  /** Takes members out of the tenant with a key; an ephemeral one goes with its last. */
  record RemoveMembers(int pkey, List<Long> guids) implements Change {
    public RemoveMembers {
      guids = List.copyOf(guids);
    }

    @Override
    public String kind() {
      return "members-removed";
    }

    @Override
    public String subject() {
      return "0x" + Integer.toHexString(pkey);
    }
  }

  /** The fabric is another: links or nodes came or went. */
  record FabricChanged(Fabric fabric, String what) implements Change {
    @Override
    public String kind() {
      return "fabric-changed";
    }

    @Override
    public String subject() {
      return what;
    }
  }

  /**
   * Makes tenants what they were.
   *
   * @param epoch the state to return to
   * @param tenants every tenant that differs, as it was then; empty for one that was not there
   */
  record Rollback(long epoch, Map<String, Optional<Tenant>> tenants) implements Change {
    @Override
    public String kind() {
      return "rolled-back";
    }

    @Override
    public String subject() {
      return "epoch " + epoch;
    }
  }
}
