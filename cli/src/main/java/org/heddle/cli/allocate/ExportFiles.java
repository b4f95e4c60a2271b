package org.heddle.cli.allocate;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.Holder;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.TableFiles;
import org.heddle.fabric.Counted;
import org.heddle.opensm.OpensmFiles;
import org.heddle.opensm.TenantFiles;
import org.heddle.plan.DraftState;
import org.heddle.tenancy.Lanes;
import org.heddle.text.lft.TableFormat;
import org.heddle.text.opensm.RoutingChains;
import org.heddle.text.scheduler.OpenStackScript;
import org.heddle.text.scheduler.PowerList;
import org.heddle.text.scheduler.SlurmTopology;

/** The directory of an allocation. Every file is replaced whole; files of other names stay. */
final class ExportFiles {
  private final Session session;
  private final AllocationState site;
  private final DraftState state;
  private final List<Holder> held;
  private final String directory;
  private final List<String> written = new ArrayList<>();

  /**
   * @param state with the tenants to write for
   */
  ExportFiles(Session session, AllocationState site, DraftState state, String directory) {
    if (directory.equals("-")) {
      throw Failure.badInput("an export is several files: give a directory");
    }
    this.session = session;
    this.site = site;
    this.state = state;
    this.held = state.holders();
    this.directory = directory;
  }

  /** Stages all files, and the script that removes a tenant that is not among the others. */
  List<String> writeWithout(Holder gone) {
    write();
    script(gone, false);
    return List.copyOf(written);
  }

  /** Stages all files and returns their names in the directory. */
  List<String> write() {
    Proof proof = Proof.of(session, site, state);
    if (!proof.broken().isEmpty()) {
      List<String> hints = new ArrayList<>(proof.broken());
      hints.add("nothing was written");
      throw Failure.refused("not every promise is kept", hints);
    }
    proof.notes().forEach(session::note);
    Path path = session.outputs().directory(directory);
    for (String folder : List.of("chains", "openstack", "slurm")) {
      session.outputs().directory(directory + "/" + folder);
    }
    TableFiles.write(session, proof.bound(), path("tables.hlft"), TableFormat.HLFT);
    opensm(path, proof);
    chains(path);
    for (Holder h : held) {
      script(h, true);
      script(h, false);
    }
    session
        .outputs()
        .write(path("slurm/topology.conf"), SlurmTopology.write(tenants(), site.plant()));
    session.outputs().write(path("power.txt"), PowerList.write(site.fabric(), links()));
    return List.copyOf(written);
  }

  private String path(String name) {
    written.add(name);
    return directory + "/" + name;
  }

  private List<SlurmTopology.Region> tenants() {
    return held.stream().map(h -> new SlurmTopology.Region(h.name(), h.allocation())).toList();
  }

  private List<int[]> links() {
    return held.stream().map(Holder::allocation).map(Allocation::links).toList();
  }

  private void opensm(Path path, Proof proof) {
    OpensmFiles files =
        new OpensmFiles(
            path,
            proof.bound(),
            Optional.of(
                TenantFiles.partitions(
                    site.fabric(),
                    proof.tenants(),
                    Lanes.single(held.size()),
                    TenantFiles.Ipoib.AUTO)));
    for (OpensmFiles.File file : files.files()) {
      session.outputs().write(path(file.name()), file.content()::writeTo, file.check()::read);
    }
  }

  private void chains(Path path) {
    RoutingChains chains = new RoutingChains(site.fabric());
    for (Holder h : held) {
      if (h.allocation().guaranteed() && h.allocation().hostCount() > 0) { // none: all lost
        chains.add(h.name(), h.allocation());
      }
    }
    chains
        .files(path + "/chains")
        .forEach((name, text) -> session.outputs().write(path("chains/" + name), text));
  }

  private void script(Holder h, boolean add) {
    String name = "openstack/" + h.name() + (add ? "-add.sh" : "-remove.sh");
    List<String> hosts = OpenStackScript.hosts(site.fabric(), h.allocation().hosts());
    List<String> unnamed = OpenStackScript.unnamed(site.fabric(), h.allocation().hosts());
    if (add && !unnamed.isEmpty()) {
      session.warn(
          h.name()
              + ": "
              + Counted.of(unnamed.size(), "host has", "hosts have")
              + " a description that names no machine; left out for Slurm and OpenStack, the first "
              + unnamed.getFirst());
    }
    session
        .outputs()
        .write(
            path(name),
            add ? OpenStackScript.add(h.name(), hosts) : OpenStackScript.remove(h.name(), hosts));
  }
}
