package org.heddle.agent;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.heddle.control.port.FabricAgent;
import org.heddle.control.port.Fence;
import org.heddle.files.Replacement;
import org.heddle.opensm.ControlPartitions;
import org.heddle.opensm.OpensmConf;
import org.heddle.opensm.OpensmFiles;
import org.heddle.opensm.SiteOptions;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.lft.OpensmLftsWriter;

/**
 * The directory of the files that OpenSM loads. Each file is written under a temporary name and
 * read back; all are renamed after the last was read, so OpenSM never sees an incomplete file.
 * Where several processes lead in turn, the directory records which term has written last; a
 * process of an earlier term, or one that no longer holds the leadership, writes nothing. What
 * remains is the moment between the last check and a rename: a process that is stopped right there
 * can put one outdated file in place when it continues.
 */
public final class GenerationDirectory {
  private static final String NEW = ".new";
  private static final String SPARE = ".spare";

  /**
   * Tried with OpenSM 3.3.23: entries of LIDs above the largest of its ports are left out, or, some
   * hundreds above, end it by a segmentation fault.
   */
  static final String NO_VIRTUAL_LIDS =
      "OpenSM does not program LIDs above those of its ports, and may crash on them; start "
          + "VMs with own_lid false: they are reached at their host's LID";

  private static final String LOST = "files for OpenSM are not written: the leadership is lost";

  private final Path path;
  private final TermMarks marks;
  private final Optional<Path> site;
  private final boolean siteLanes;
  private boolean enforcing = true;
  private boolean allowsBoth;

  /** True once this process has written here. */
  private boolean ours;

  private final WrittenFiles written = new WrittenFiles(InstantSource.system());

  /** A directory; made when it is written to. */
  public GenerationDirectory(Path path) {
    this(path, Optional.empty(), false);
  }

  /**
   * The same with options of the site for OpenSM.
   *
   * @param site a configuration file of OpenSM; its options go before ours, anew with each writing
   * @param siteLanes true if what these options say of QoS stays in force: service levels, lanes
   *     and the policy for path records
   */
  public GenerationDirectory(Path path, Optional<Path> site, boolean siteLanes) {
    this.site = site;
    this.siteLanes = siteLanes;
    this.path = path.toAbsolutePath().normalize();
    this.marks = new TermMarks(this.path);
  }

  /** Its absolute path. */
  public Path path() {
    return path;
  }

  /** What was written last, and whether it is still there. */
  WrittenFiles written() {
    return written;
  }

  /**
   * Writes tables and partitions. Files that are there stay as they are until all new ones are
   * complete beside them: a full disk takes nothing away.
   *
   * @return why they are not written; nothing is, except what was before another process began to
   *     lead
   * @throws IOException if they cannot be written
   * @throws IllegalStateException if they do not read back as what they should say
   */
  Optional<String> write(FabricAgent.Target target) throws IOException {
    if (target.fabric().virtualLids().size() > 0) {
      return Optional.of("files for OpenSM are not written: " + NO_VIRTUAL_LIDS);
    }
    Optional<String> others = others();
    if (others.isPresent()) {
      return others;
    }
    Optional<String> refusal = OpensmLftsWriter.refusal(target.fabric(), target.tables());
    if (refusal.isPresent()) {
      return refusal.map(reason -> "OpenSM would not load these tables: " + reason);
    }
    Files.createDirectories(path);
    List<Staged> staged = new ArrayList<>();
    try {
      List<String> names = stage(target, staged);
      Optional<String> overtaken = overtaken(target.fence());
      if (overtaken.isPresent() || !target.fence().confirm()) {
        return overtaken.or(() -> Optional.of(LOST));
      }
      marks.put(target.fence().term());
      for (Staged file : staged) {
        overtaken = overtaken(target.fence());
        if (overtaken.isPresent()) {
          return overtaken;
        }
        Path name = path.resolve(file.name);
        written.put(name, file.fresh, () -> Replacement.put(file.beside, name));
        keepSpare(file);
      }
      written.retain(names);
      ours = true;
      return overtaken(target.fence());
    } finally {
      for (Staged file : staged) {
        if (!file.beside.toString().endsWith(SPARE)) {
          discard(file.beside);
        }
      }
    }
  }

  /**
   * Why files of the same names here are not to be replaced: the site's OpenSM reads them, and they
   * are not ours, which have a copy beside them.
   */
  private Optional<String> others() throws IOException {
    if (ours || Files.exists(path.resolve("." + OpensmFiles.OPTIONS + SPARE))) {
      return Optional.empty();
    }
    List<Path> own =
        Stream.of(
                OpensmFiles.TABLES, OpensmFiles.PARTITIONS, OpensmFiles.POLICY, OpensmFiles.OPTIONS)
            .map(path::resolve)
            .toList();
    List<Path> sites = new ArrayList<>();
    site.ifPresent(file -> sites.add(file.toAbsolutePath().normalize()));
    SiteOptions.files(options()).forEach(file -> sites.add(Path.of(file).normalize()));
    return sites.stream()
        .filter(file -> own.contains(file) && Files.exists(file))
        .findFirst()
        .map(
            file ->
                "files for OpenSM are not written: "
                    + file
                    + " is one that the site's OpenSM reads; name another directory as 'files'");
  }

  /** A file that is complete, beside the name it will have. */
  private record Staged(String name, Path beside, WrittenFiles.Fresh fresh) {}

  /** Why this process must not write, if it must not; the mark is looked at last. */
  private Optional<String> overtaken(Fence fence) throws IOException {
    if (!fence.holds()) {
      return Optional.of(LOST);
    }
    long latest = marks.latest();
    return latest > fence.term()
        ? Optional.of("a later leader has written files for OpenSM, says " + marks.mark(latest))
        : Optional.empty();
  }

  /**
   * Makes the files that are not there yet beside their names, and reads them back; the names are
   * this term's own.
   *
   * @return the names of all files
   */
  private List<String> stage(FabricAgent.Target target, List<Staged> staged) throws IOException {
    written.look();
    List<String> names = new ArrayList<>();
    for (OpensmFiles.File file : files(target).files()) {
      names.add(file.name());
      byte[] digest = WrittenFiles.digest(file.content());
      if (!written.has(file.name(), digest)) {
        staged.add(stage(file, "." + target.fence().term() + NEW, digest));
      }
    }
    return names;
  }

  private Staged stage(OpensmFiles.File file, String suffix, byte[] digest) throws IOException {
    Path beside = path.resolve("." + file.name() + suffix);
    boolean done = false;
    try {
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(beside), 1 << 16)) {
        file.content().writeTo(out);
      }
      WrittenFiles.Fresh fresh = WrittenFiles.Fresh.read(beside, file.check());
      done = true;
      return new Staged(file.name(), beside, fresh);
    } catch (IOException e) { // no room, perhaps
      return spare(file, digest).orElseThrow(() -> e);
    } finally {
      if (!done) {
        discard(beside); // half a file takes room that others need
      }
    }
  }

  /** The copy that was kept for a disk that is full, if it says the same. */
  private Optional<Staged> spare(OpensmFiles.File file, byte[] digest) {
    Path kept = path.resolve("." + file.name() + SPARE);
    try {
      WrittenFiles.Fresh fresh = WrittenFiles.Fresh.read(kept, file.check());
      return MessageDigest.isEqual(fresh.digest(), digest)
          ? Optional.of(new Staged(file.name(), kept, fresh))
          : Optional.empty();
    } catch (IOException | IllegalStateException _) {
      return Optional.empty();
    }
  }

  private static void discard(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException _) {
      // why it was made is told, or nobody needs it
    }
  }

  /** Keeps a copy of a small file; without room there is none. */
  private void keepSpare(Staged file) {
    Path kept = path.resolve("." + file.name + SPARE);
    if (file.fresh.content().isPresent()) {
      try {
        Files.write(kept, file.fresh.content().get());
      } catch (IOException _) {
        discard(kept);
      }
    }
  }

  /**
   * True unless the site's options tell OpenSM to leave keys and enforcement of switches alone, as
   * of the last writing.
   */
  boolean enforcing() {
    return enforcing;
  }

  /** True if a port may have both keys of a partition there, as of the last writing. */
  boolean allowsBoth() {
    return allowsBoth;
  }

  /** True if lanes are the site's: nobody looks whether they are as Heddle would make them. */
  boolean siteLanes() {
    return siteLanes;
  }

  private static boolean enforcing(Map<String, String> options) {
    return !options.getOrDefault("part_enforce", "both").equalsIgnoreCase("off")
        && !options.getOrDefault("no_partition_enforcement", "FALSE").equalsIgnoreCase("TRUE");
  }

  private Map<String, String> options() throws IOException {
    if (site.isEmpty()) {
      return Map.of();
    }
    try {
      return OpensmConf.site(site.get().toString(), Files.readAllBytes(site.get()));
    } catch (NoSuchFileException e) {
      throw new IllegalStateException("opensm_conf: there is no file " + site.get(), e);
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException("opensm_conf: " + e.getMessage(), e);
    }
  }

  private OpensmFiles files(FabricAgent.Target target) throws IOException {
    Map<String, String> options = options();
    enforcing = enforcing(options);
    allowsBoth = SiteOptions.allowsBoth(options);
    OpensmFiles bare =
        new OpensmFiles(
            path,
            new BoundTables(target.fabric(), target.tables()),
            Optional.of(ControlPartitions.of(target.partitions())));
    if (siteLanes) {
      return bare.lastingWithLanes(options);
    }
    OpensmFiles plain = bare.lasting(options);
    return ControlPartitions.qos(target.partitions()).map(plain::withQos).orElse(plain);
  }

  /** The command that starts OpenSM with the files. */
  public String command() {
    return OpensmFiles.command(path);
  }
}
