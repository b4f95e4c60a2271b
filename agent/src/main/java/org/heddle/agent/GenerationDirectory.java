package org.heddle.agent;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.control.port.FabricAgent;
import org.heddle.control.port.Fence;
import org.heddle.files.Replacement;
import org.heddle.opensm.ControlPartitions;
import org.heddle.opensm.OpensmConf;
import org.heddle.opensm.OpensmFiles;
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

  /** A directory; made when it is written to. */
  public GenerationDirectory(Path path) {
    this(path, Optional.empty());
  }

  /**
   * The same with options of the site for OpenSM.
   *
   * @param site a configuration file of OpenSM; its options go before ours, anew with each writing
   */
  public GenerationDirectory(Path path, Optional<Path> site) {
    this.site = site;
    this.path = path.toAbsolutePath().normalize();
    this.marks = new TermMarks(this.path);
  }

  /** Its absolute path. */
  public Path path() {
    return path;
  }

  /**
   * Writes tables and partitions.
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
    Optional<String> refusal = OpensmLftsWriter.refusal(target.fabric(), target.tables());
    if (refusal.isPresent()) {
      return refusal.map(reason -> "OpenSM would not load these tables: " + reason);
    }
    Files.createDirectories(path);
    List<Path> staged = staged(target);
    try {
      Optional<String> overtaken = overtaken(target.fence());
      if (overtaken.isPresent() || !target.fence().confirm()) {
        return overtaken.or(() -> Optional.of(LOST));
      }
      marks.put(target.fence().term());
      for (Path beside : staged) {
        overtaken = overtaken(target.fence());
        if (overtaken.isPresent()) {
          return overtaken;
        }
        put(beside);
      }
      return overtaken(target.fence());
    } finally {
      for (Path beside : staged) {
        Files.deleteIfExists(beside);
      }
    }
  }

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

  /** The files beside their names, read back; the names are this term's own. */
  private List<Path> staged(FabricAgent.Target target) throws IOException {
    String suffix = "." + target.fence().term() + NEW;
    List<Path> made = new ArrayList<>();
    for (OpensmFiles.File file : files(target).files()) {
      Path beside = path.resolve("." + file.name() + suffix);
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(beside), 1 << 16)) {
        file.content().writeTo(out);
      }
      try (InputStream in = Files.newInputStream(beside)) {
        file.check().read(in);
      }
      made.add(beside);
    }
    return made;
  }

  private static void put(Path beside) throws IOException {
    String name = beside.getFileName().toString();
    String term = name.substring(0, name.length() - NEW.length());
    Path file = beside.resolveSibling(term.substring(1, term.lastIndexOf('.')));
    Replacement.put(beside, file);
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
    OpensmFiles plain =
        new OpensmFiles(
                path,
                new BoundTables(target.fabric(), target.tables()),
                Optional.of(ControlPartitions.of(target.partitions())))
            .lasting(options());
    return ControlPartitions.qos(target.partitions()).map(plain::withQos).orElse(plain);
  }

  /** The command that starts OpenSM with the files. */
  public String command() {
    return OpensmFiles.command(path);
  }
}
