package org.heddle.plan;

import java.util.List;
import java.util.Optional;
import org.heddle.allocation.Allocator;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.PathRate;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Policy;
import org.heddle.plan.model.TenantSpec;

/** What a request must be like, whatever the fabric. */
final class TenantValidator {
  private static final String MANAGEMENT = "management";
  private static final int MOST = 1 << 20;

  private TenantValidator() {}

  static Optional<Outcome.Refused> problem(TenantSpec spec) {
    String text = sentence(spec);
    return text == null
        ? Optional.empty()
        : Optional.of(new Outcome.Refused(Outcome.Code.INVALID, text, List.of()));
  }

  private static String sentence(TenantSpec spec) {
    if (!TenantSpec.isName(spec.name())) {
      return "a name is 1 to 31 letters, digits, '_', '-' or '.', the first a letter or digit; "
          + "not 'default'";
    }
    if (spec.hosts() < 0 || spec.hosts() > MOST) {
      return "'hosts' is 0 or more";
    }
    if (!spec.named().isEmpty() && spec.hosts() != 0 && spec.hosts() != spec.named().size()) {
      return "'hosts' contradicts the number of hosts that are named";
    }
    if (spec.named().stream().distinct().count() != spec.named().size()) {
      return "a host is named twice";
    }
    if (spec.oversubscription() < 1 || spec.oversubscription() > MOST) {
      return "'oversubscription' is 1 or more";
    }
    int key = spec.partition().pkey();
    boolean management = key == PartitionOptions.MANAGEMENT;
    if (management != spec.name().equals(MANAGEMENT)) {
      return "key 0x7fff is the default partition's, whose tenant is '" + MANAGEMENT + "'";
    }
    if (management && (spec.policy() != Policy.DEF || spec.hosts() + spec.named().size() > 0)) {
      return "'" + MANAGEMENT + "' has members only, and policy def";
    }
    if (key != 0 && !management && !PartitionOptions.isKey(key)) {
      return "'pkey' is 0x1 to 0x7ffe";
    }
    PartitionOptions options = spec.partition();
    if (options.mtu() != 0 && PathRate.mtuCode(options.mtu()).isEmpty()) {
      return "'mtu' is one of " + PathRate.mtus() + " bytes";
    }
    if (options.rate() != 0 && PathRate.of(options.rate()).isEmpty()) {
      return "'rate' is one of these, in Gbit/s: " + PathRate.words();
    }
    Optional<Allocator> allocator = Catalog.allocator(spec.allocator());
    if (allocator.isEmpty()) {
      return "there is no allocator '" + spec.allocator() + "'";
    }
    return spec.policy() == Policy.LINKS && !allocator.get().givesLinks()
        ? "allocator '" + spec.allocator() + "' gives no links: policy 'links' needs another one"
        : null;
  }
}
