package org.heddle.control;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.heddle.plan.model.Policy;

/**
 * One step of a random history. Names, cables and nodes are those of the whole fabric, so that a
 * step means the same when others are left out.
 */
sealed interface HistoryStep {
  /** Admits a tenant on so many hosts, or on these if some are named (places among the hosts). */
  record Create(
      String name, Policy policy, int hosts, List<Integer> named, int over, String allocator)
      implements HistoryStep {}

  /** Asks for another number of hosts, or another policy. */
  record Change(String name, Policy policy, int hosts, int over) implements HistoryStep {}

  /** A host's port becomes a member of a tenant's partition besides those of its hosts. */
  record Join(String name, int host) implements HistoryStep {}

  record Delete(String name) implements HistoryStep {}

  /** One goes, another comes, as one epoch. */
  record Swap(String gone, Create come) implements HistoryStep {}

  /** Out of service or back; cables and switches by their places. */
  record Drain(List<Integer> cables, List<Integer> switches, boolean out, boolean force)
      implements HistoryStep {}

  /** The fabric loses or regains cables, and nodes, all before anybody looks. */
  record Fail(List<Integer> cables, List<Integer> nodes, boolean up) implements HistoryStep {}

  /** Cables come up again at a lower rate, or at their own. */
  record Slow(List<Integer> cables, boolean slow) implements HistoryStep {}

  /** Everything is there, at its rate and in service again. */
  record Heal() implements HistoryStep {}

  record Restart() implements HistoryStep {}

  /** Back by so many epochs. */
  record Rollback(int epochs) implements HistoryStep {}

  /** One tenant back by so many epochs. */
  record RollbackOne(String name, int epochs) implements HistoryStep {}

  /** Steps for a fabric with so many cables between switches, switches and hosts. */
  static List<HistoryStep> random(
      Random random, int length, int cables, int switches, int hosts, int nodes) {
    List<HistoryStep> out = new ArrayList<>();
    BitSet down = new BitSet();
    for (int i = 0; i < length; i++) {
      out.add(one(random, cables, switches, hosts, nodes, down));
    }
    out.add(new Heal());
    return out;
  }

  private static HistoryStep one(
      Random random, int cables, int switches, int hosts, int nodes, BitSet down) {
    int dice = random.nextInt(100);
    if (dice < 30) {
      return create(random, hosts);
    }
    if (dice < 37) {
      return new Delete(name(random));
    }
    if (dice < 42) {
      return new Change(name(random), policy(random), 1 + random.nextInt(6), over(random));
    }
    if (dice < 45) {
      return new Join(name(random), random.nextInt(hosts));
    }
    if (dice < 48) {
      return new Swap(name(random), create(random, hosts));
    }
    if (dice < 60) {
      boolean out = random.nextInt(3) > 0;
      boolean sw = random.nextInt(6) == 0;
      return new Drain(
          sw ? List.of() : some(random, cables, 3),
          sw ? List.of(random.nextInt(switches)) : List.of(),
          out,
          random.nextBoolean());
    }
    if (dice < 66) {
      return new Slow(some(random, cables, 4), random.nextInt(3) > 0);
    }
    if (dice < 86) {
      return fail(random, cables, nodes, down);
    }
    if (dice < 90) {
      return new Heal();
    }
    if (dice < 93) {
      return new Restart();
    }
    int epochs = 1 + random.nextInt(5);
    return dice < 97 ? new RollbackOne(name(random), epochs) : new Rollback(epochs);
  }

  private static HistoryStep fail(Random random, int cables, int nodes, BitSet down) {
    boolean up = random.nextInt(5) < 2 && !down.isEmpty();
    List<Integer> c = new ArrayList<>();
    if (up) {
      down.stream().filter(_ -> random.nextBoolean()).forEach(c::add);
      c.forEach(down::clear);
    } else {
      c.addAll(some(random, cables, 3));
      c.forEach(down::set);
    }
    boolean node = random.nextInt(5) == 0;
    return new Fail(c, node ? List.of(random.nextInt(nodes)) : List.of(), up);
  }

  private static Create create(Random random, int hosts) {
    boolean named = random.nextInt(3) == 0;
    List<Integer> which = named ? some(random, hosts, 4) : List.of();
    String[] allocators = {"exact", "exact", "exact", "laas", "simple-extended"};
    return new Create(
        name(random),
        policy(random),
        named ? 0 : 1 + random.nextInt(7),
        which,
        over(random),
        allocators[random.nextInt(allocators.length)]);
  }

  private static int over(Random random) {
    return random.nextInt(4) == 0 ? 2 : 1;
  }

  private static Policy policy(Random random) {
    Policy[] all = {
      Policy.LINKS,
      Policy.LINKS,
      Policy.LINKS,
      Policy.PHY,
      Policy.PHY,
      Policy.VLANE,
      Policy.DEF,
      Policy.DEF
    };
    return all[random.nextInt(all.length)];
  }

  private static String name(Random random) {
    return "t" + random.nextInt(8);
  }

  private static List<Integer> some(Random random, int limit, int most) {
    return random.ints(1 + random.nextInt(most), 0, limit).distinct().sorted().boxed().toList();
  }
}
