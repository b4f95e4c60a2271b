package org.heddle.plan.model;

import java.util.List;
import java.util.regex.Pattern;
import org.heddle.allocation.Allocator;
import org.heddle.allocation.Rails;

/**
 * What a tenant asks for.
 *
 * @param name identity of the tenant, unique in the fabric
 * @param owner the tenant whose tokens may see and change it, besides the provider's
 * @param hosts how many machines to look for; 0 for members only
 * @param named node GUIDs: if not empty, exactly the machines that these adapters are in
 * @param oversubscription hosts that may share an up-link
 * @param rails between which adapters of its machines the links are
 * @param allocator name of the allocator
 * @param members ports by GUID besides those of the hosts
 */
public record TenantSpec(
    String name,
    String owner,
    Policy policy,
    int hosts,
    List<Long> named,
    int oversubscription,
    Rails rails,
    String allocator,
    PartitionOptions partition,
    List<Member> members) {
  public TenantSpec {
    named = List.copyOf(named);
    members = List.copyOf(members);
  }

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,30}");

  /** True if a tenant can have that name: OpenSM can hold it, and it is not that of its own. */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches() && !text.equalsIgnoreCase("default");
  }

  /** With links on every rail by itself. */
  public TenantSpec(
      String name,
      String owner,
      Policy policy,
      int hosts,
      List<Long> named,
      int oversubscription,
      String allocator,
      PartitionOptions partition,
      List<Member> members) {
    this(
        name,
        owner,
        policy,
        hosts,
        named,
        oversubscription,
        Rails.SEPARATE,
        allocator,
        partition,
        members);
  }

  /** So many hosts with links of their own, a key of the controller's choice. */
  public static TenantSpec links(String name, String owner, int hosts) {
    return new TenantSpec(
        name,
        owner,
        Policy.LINKS,
        hosts,
        List.of(),
        1,
        Allocator.DEFAULT,
        PartitionOptions.AUTOMATIC,
        List.of());
  }

  /** A partition with members and without hosts. */
  public static TenantSpec partition(
      String name, String owner, PartitionOptions options, List<Member> members) {
    return new TenantSpec(
        name, owner, Policy.DEF, 0, List.of(), 1, Allocator.DEFAULT, options, members);
  }

  /** The same with other partition options. */
  public TenantSpec withPartition(PartitionOptions other) {
    return new TenantSpec(
        name, owner, policy, hosts, named, oversubscription, rails, allocator, other, members);
  }

  /** The same with other members. */
  public TenantSpec withMembers(List<Member> other) {
    return new TenantSpec(
        name, owner, policy, hosts, named, oversubscription, rails, allocator, partition, other);
  }
}
