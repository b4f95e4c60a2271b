package org.heddle.plan;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.PathRate;
import org.heddle.plan.model.JournalEntry.Effect;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Origin;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Tenant;

/**
 * Rates of broadcast groups. A port whose link is slower than its partition's group cannot join it,
 * and has no IP over InfiniBand: so a tenant that asks for that is refused. What clients of UFM's
 * interface set is theirs, and stays as they said it. MTUs are not compared: what is kept of a
 * fabric does not have them.
 */
final class GroupRate {
  private GroupRate() {}

  /** Why what would become of tenants leaves a member without IP over InfiniBand. */
  static Optional<Outcome.Refused> refusal(Fabric fabric, List<Effect> effects) {
    for (Effect e : effects) {
      Optional<Outcome.Refused> no = e.after().flatMap(t -> tooFast(fabric, t));
      if (no.isPresent()) {
        return no;
      }
    }
    return Optional.empty();
  }

  private static Optional<Outcome.Refused> tooFast(Fabric fabric, Tenant tenant) {
    PartitionOptions options = tenant.spec().partition();
    if (!options.ipOverIb() || options.origin() != Origin.OPERATOR) {
      return Optional.empty();
    }
    int slowest = Fabric.NONE;
    double least = options.rate();
    for (Member m : PartitionMembers.of(fabric, tenant)) {
      int port = fabric.findPort(m.guid());
      OptionalDouble link =
          port == Fabric.NONE ? OptionalDouble.empty() : PathRate.ofLink(fabric, port);
      if (link.isPresent() && link.getAsDouble() < least) {
        least = link.getAsDouble();
        slowest = port;
      }
    }
    return slowest == Fabric.NONE
        ? Optional.empty()
        : Optional.of(
            new Outcome.Refused(
                Outcome.Code.INVALID,
                ("'rate' %s is too fast for '%s': %s port %d has a link of %s Gbit/s, and could not"
                        + " join the group")
                    .formatted(
                        PathRate.text(options.rate()),
                        tenant.name(),
                        fabric.description(fabric.nodeOf(slowest)),
                        fabric.numberOf(slowest),
                        PathRate.text(least)),
                List.of("ask for a rate of " + PathRate.text(fitting(least)) + " or less")));
  }

  /** The fastest rate that a link of so many Gbit/s carries. */
  private static double fitting(double link) {
    double out = PathRate.all().getFirst().gigabits();
    for (PathRate r : PathRate.all()) {
      out = r.gigabits() <= link ? r.gigabits() : out;
    }
    return out;
  }
}
