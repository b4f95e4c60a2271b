package org.heddle.cli.serve;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.heddle.catalog.BaseEngines;
import org.heddle.catalog.Catalog;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Session;
import org.heddle.fabric.Guid;
import org.heddle.opensm.SiteOptions;
import org.heddle.plan.StateProof;
import org.heddle.routing.EngineNames;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;

/** The engine that comes after a site's own, and its roots. */
final class ImportEngine {
  private ImportEngine() {}

  /**
   * Chooses: what was asked for, else the first of the site's engines that Heddle has.
   *
   * @throws Failure if it cannot serve the fabric
   */
  static ImportDocument.Engine of(
      Session session, ServeSettings settings, ImportSite site, List<String> notes) {
    List<String> theirs = SiteOptions.engines(site.files().options());
    String chosen = settings.engine().orElse("");
    String why = chosen.isEmpty() ? "" : "as was asked for";
    for (String name : chosen.isEmpty() ? theirs : List.<String>of()) {
      if (chosen.isEmpty()
          && Catalog.engine(name).filter(e -> BaseEngines.refusal(e).isEmpty()).isPresent()) {
        chosen = name;
      }
    }
    if (chosen.isEmpty()) {
      chosen = EngineNames.DMODK;
      why = "Heddle makes no base tables of " + String.join(", ", theirs);
    }
    Optional<String> trouble = StateProof.baseTrouble(site.fabric(), chosen);
    if (trouble.isPresent()) {
      throw Failure.refused(
          "the engine " + chosen + " cannot serve this fabric: " + trouble.get(),
          List.of("--engine names another one"));
    }
    List<Guid> roots = site.files().roots(session, site.fabric());
    List<String> other = new ArrayList<>();
    if (!roots.isEmpty()
        && FatTreeRecogniser.recognise(site.fabric()) instanceof Recognition.Found found) {
      TreeSet<String> top = new TreeSet<>();
      for (int sw : found.tree().roots()) {
        top.add(Guid.format(site.fabric().nodeGuid(sw)));
      }
      TreeSet<String> given = new TreeSet<>();
      roots.forEach(g -> given.add(Guid.format(g.value())));
      given.stream().filter(g -> !top.contains(g)).map(g -> g + " is below").forEach(other::add);
      top.stream().filter(g -> !given.contains(g)).map(g -> g + " as well").forEach(other::add);
    } else if (!roots.isEmpty()) {
      notes.add("the fabric is no tree: Heddle does not use the site's roots");
    }
    return new ImportDocument.Engine(theirs, chosen, why, roots.size(), other);
  }
}
