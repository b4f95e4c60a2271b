package org.heddle.cli.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.heddle.catalog.EngineLikeness;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.routing.EngineNames;
import org.heddle.routing.ForwardingTables;
import org.heddle.topology.OpensmFtreeCheck;
import org.heddle.topology.TreeFinding;

/**
 * Which engine tables look like.
 *
 * @param engines closest first
 * @param notes what that means, a sentence each
 */
record TableOrigin(List<Engine> engines, List<String> notes) {
  private static final int SHOWN = 3;

  /** Below this share of equal entries it is chance which engine is closest. */
  private static final double LIKE = 0.8;

  /**
   * One engine.
   *
   * @param share of the entries that are equal, 0 to 1
   */
  record Engine(String engine, long equal, long entries, double share) {}

  /** Nothing was compared. */
  static final TableOrigin NONE = new TableOrigin(List.of(), List.of());

  /**
   * Puts it into words.
   *
   * @param likeness closest first
   * @param roots what OpenSM would be told
   */
  static TableOrigin of(
      Fabric fabric, ForwardingTables tables, List<EngineLikeness> likeness, List<Guid> roots) {
    List<Engine> engines =
        likeness.stream()
            .map(l -> new Engine(l.engine(), l.equal(), l.entries(), l.share()))
            .toList();
    List<String> notes = new ArrayList<>();
    if (!likeness.isEmpty()) {
      notes.add(looksLike(likeness));
      fallBack(fabric, tables, likeness.getFirst(), roots, notes);
    }
    return new TableOrigin(engines, List.copyOf(notes));
  }

  private static String looksLike(List<EngineLikeness> likeness) {
    EngineLikeness first = likeness.getFirst();
    List<String> equals =
        likeness.stream()
            .skip(1)
            .filter(l -> l.equal() == first.equal())
            .map(EngineLikeness::engine)
            .toList();
    String also = equals.isEmpty() ? "" : ", and of " + String.join(", ", equals);
    if (first.same()) {
      return "the tables are those of Heddle's " + first.engine() + also;
    }
    List<String> others =
        likeness.stream()
            .filter(l -> l.equal() < first.equal())
            .limit(SHOWN)
            .map(l -> l.engine() + " " + percent(l))
            .toList();
    if (first.share() < LIKE) {
      return "the tables are like those of none of Heddle's engines; closest of "
          + Counted.of(first.entries(), "entry", "entries")
          + ": "
          + String.join(
              ", ",
              likeness.stream().limit(SHOWN).map(l -> l.engine() + " " + percent(l)).toList());
    }
    return "the tables are closest to those of Heddle's "
        + first.engine()
        + also
        + ": "
        + percent(first)
        + " of "
        + Counted.of(first.entries(), "entry", "entries")
        + " are equal"
        + (others.isEmpty() ? "" : " (" + String.join(", ", others) + ")");
  }

  /**
   * OpenSM says that it routes with minhop in place of ftree at a level of its log that hardly
   * anybody reads. Tables are those of neither if another engine of Heddle made them.
   */
  private static void fallBack(
      Fabric fabric,
      ForwardingTables tables,
      EngineLikeness first,
      List<Guid> roots,
      List<String> notes) {
    if (first.same() && !first.engine().equals(EngineNames.MINHOP)) {
      return;
    }
    List<TreeFinding> obstacles = OpensmFtreeCheck.check(fabric, roots);
    if (!obstacles.isEmpty() && EngineLikeness.isShortest(fabric, tables)) {
      notes.add(
          "OpenSM's ftree refuses this fabric ("
              + obstacles.getFirst().message()
              + ") and OpenSM routes minhop instead; all entries here lead along shortest paths, as "
              + "minhop's do: if opensm.conf says routing_engine ftree, these tables are the fall-back");
    }
  }

  /** Rounded down, so that 100 % are all. */
  private static String percent(EngineLikeness l) {
    return String.format(Locale.ROOT, "%.1f %%", Math.floor(1000 * l.share()) / 10);
  }
}
