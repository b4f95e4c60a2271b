package org.heddle.opensm;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.text.BoundTables;
import org.heddle.text.OpensmLftsWriter;
import org.heddle.text.Parsed;
import org.heddle.text.PartitionsConf;
import org.heddle.text.PartitionsConfReader;
import org.heddle.text.PartitionsConfWriter;
import org.heddle.text.Source;
import org.heddle.text.TableFormats;

/**
 * The files with which OpenSM programs given tables and partitions, and the command that makes it
 * do so.
 *
 * <p>OpenSM fails open: over one bad entry it drops the tables and routes minhop, over one bad
 * character it drops all partitions; both end in "SUBNET UP". So the engine list ends in {@code
 * no_fallback}, entries carry the port GUID of their destination (OpenSM then follows ports whose
 * LID has changed), and each file comes with a check that reads it back with our strict readers.
 */
public final class OpensmFiles {
  /** Name of the tables. */
  public static final String TABLES = "opensm.lfts";

  /** Name of the partitions. */
  public static final String PARTITIONS = "partitions.conf";

  /** Name of the options for opensm.conf. */
  public static final String OPTIONS = "opensm.conf";

  private final String directory;
  private final BoundTables bound;
  private final Optional<PartitionsConf> partitions;

  /** Writes the content of a file. */
  @FunctionalInterface
  public interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /** Reads a file back; throws {@link IllegalStateException} if it does not say what it should. */
  @FunctionalInterface
  public interface Check {
    void read(InputStream in) throws IOException;
  }

  /** One file. */
  public record File(String name, Content content, Check check) {}

  /**
   * @param directory where the files will be, absolute: OpenSM changes its working directory
   * @param partitions none leaves OpenSM's own partitions file in force
   */
  public OpensmFiles(Path directory, BoundTables bound, Optional<PartitionsConf> partitions) {
    this.directory = directory.toString();
    this.bound = bound;
    this.partitions = partitions;
  }

  /** The files, to be written in this order. */
  public List<File> files() {
    List<File> files = new ArrayList<>();
    files.add(
        new File(
            TABLES,
            out -> OpensmLftsWriter.write(bound.fabric(), bound.tables(), out),
            this::checkTables));
    partitions.ifPresent(
        conf -> {
          byte[] text = PartitionsConfWriter.write(conf);
          files.add(new File(PARTITIONS, out -> out.write(text), in -> checkPartitions(conf, in)));
        });
    byte[] options = options().getBytes(StandardCharsets.UTF_8);
    files.add(new File(OPTIONS, out -> out.write(options), _ -> {}));
    return files;
  }

  /** The command line that starts OpenSM with these files, for a shell. */
  public String command() {
    String keys = partitions.isPresent() ? " -P " + quoted(directory + "/" + PARTITIONS) : "";
    return "opensm -R file,no_fallback -U " + quoted(directory + "/" + TABLES) + keys;
  }

  private static String quoted(String path) {
    return path.matches("[A-Za-z0-9_./+-]+") ? path : "'" + path.replace("'", "'\\''") + "'";
  }

  private String options() {
    StringBuilder out = new StringBuilder();
    out.append("# Options for OpenSM's configuration file, the same as\n# ");
    out.append(command()).append('\n');
    out.append("# After a file here was replaced: kill -HUP the process of opensm.\n");
    out.append("routing_engine file,no_fallback\n");
    out.append("lfts_file ").append(directory).append('/').append(TABLES).append('\n');
    if (partitions.isPresent()) {
      out.append("partition_config_file ").append(directory).append('/').append(PARTITIONS);
      out.append('\n');
    }
    return out.toString();
  }

  private void checkTables(InputStream in) throws IOException {
    Fabric fabric = bound.fabric();
    Parsed<BoundTables> back = TableFormats.read(TABLES, in, fabric);
    if (!back.ok()) {
      throw new IllegalStateException("tables are not readable: " + back.problems());
    }
    ForwardingTables tables = back.get().tables();
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      for (int lid = 1; lid <= fabric.topLid(); lid++) {
        if (tables.port(sw, lid) != bound.tables().port(sw, lid)) {
          throw new IllegalStateException(
              "the entry of switch " + sw + " for LID " + lid + " reads back differently");
        }
      }
    }
  }

  private static void checkPartitions(PartitionsConf conf, InputStream in) throws IOException {
    Parsed<PartitionsConf> back =
        PartitionsConfReader.read(new Source(PARTITIONS, in.readAllBytes()));
    PartitionsConf wanted = PartitionsConfWriter.canonical(conf);
    if (!back.ok() || !PartitionsConfWriter.canonical(back.get()).equals(wanted)) {
      throw new IllegalStateException("partitions read back differently: " + back.problems());
    }
  }
}
