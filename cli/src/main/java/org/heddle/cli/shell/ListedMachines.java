package org.heddle.cli.shell;

import java.util.List;
import java.util.Set;
import org.heddle.fabric.Guid;
import org.heddle.fabric.MachineList;
import org.heddle.text.IdentityCode;
import org.heddle.text.Place;
import org.heddle.text.Problem;

/** What a list of machines explains of the problems of a fabric file. */
final class ListedMachines {
  /** What is said of adapters whose machine is not known for certain. */
  private static final Set<String> CODES =
      Set.of(
          IdentityCode.UNNAMED_ADAPTERS.key(),
          IdentityCode.EQUAL_NAMES.key(),
          IdentityCode.DUPLICATE_SYSTEM_GUID.key());

  private ListedMachines() {}

  /** The problems without those that concern listed adapters only. */
  static List<Problem> unexplained(MachineList list, List<Problem> problems) {
    return problems.stream()
        .filter(
            p ->
                p.code() == null
                    || !CODES.contains(p.code())
                    || !p.places().stream().allMatch(place -> isListed(list, place)))
        .toList();
  }

  private static boolean isListed(MachineList list, Place place) {
    return list.machine(Guid.parse(place.guid()).value()) != null;
  }
}
