package org.heddle.opensm;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.text.Parsed;
import org.heddle.text.Source;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.lft.OpensmLftsWriter;
import org.heddle.text.lft.TableFormats;
import org.heddle.text.opensm.PartitionsConf;
import org.heddle.text.opensm.PartitionsConfReader;
import org.heddle.text.opensm.PartitionsConfWriter;
import org.heddle.text.opensm.QosPolicy;
import org.heddle.text.opensm.QosPolicyReader;
import org.heddle.text.opensm.QosPolicyWriter;

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

  /** Name of the QoS policy. */
  public static final String POLICY = "qos-policy.conf";

  /** Name of the options for opensm.conf. */
  public static final String OPTIONS = "opensm.conf";

  private static final String QOS = "qos";

  private final String directory;
  private final BoundTables bound;
  private final Optional<PartitionsConf> partitions;
  private final Optional<Qos> qos;
  private final Optional<Map<String, String>> site;
  private final boolean siteLanes;

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

  /** Lanes, and which path gets which. */
  public record Qos(QosOptions options, QosPolicy policy) {}

  /** One file. */
  public record File(String name, Content content, Check check) {}

  /**
   * @param directory where the files will be, absolute: OpenSM changes its working directory
   * @param partitions none leaves OpenSM's own partitions file in force
   */
  public OpensmFiles(Path directory, BoundTables bound, Optional<PartitionsConf> partitions) {
    this(directory.toString(), bound, partitions, Optional.empty(), Optional.empty(), false);
  }

  private OpensmFiles(
      String directory,
      BoundTables bound,
      Optional<PartitionsConf> partitions,
      Optional<Qos> qos,
      Optional<Map<String, String>> site,
      boolean siteLanes) {
    this.directory = directory;
    this.bound = bound;
    this.partitions = partitions;
    this.qos = qos;
    this.site = site;
    this.siteLanes = siteLanes;
  }

  /** The same with QoS on. */
  public OpensmFiles withQos(Qos levels) {
    return new OpensmFiles(directory, bound, partitions, Optional.of(levels), site, siteLanes);
  }

  /**
   * The same for an OpenSM that runs on while tenants come and go. After a hang-up it reads lanes
   * again from the options file it was started with, but never the names of other files: so the
   * options name the QoS policy from the start, and OpenSM has to be started with them.
   *
   * @param options of the site, which go first
   */
  public OpensmFiles lasting(Map<String, String> options) {
    return new OpensmFiles(directory, bound, partitions, qos, Optional.of(options), false);
  }

  /**
   * The same with the lanes of the site, and with its policy for path records if it has one: all
   * that its options say of QoS stays, and without a policy a path has the level of its partition.
   *
   * @param options of the site, which go first
   */
  public OpensmFiles lastingWithLanes(Map<String, String> options) {
    return new OpensmFiles(
        directory, bound, partitions, Optional.empty(), Optional.of(options), true);
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
    qos.ifPresent(
        q -> {
          byte[] text = QosPolicyWriter.write(q.policy());
          files.add(new File(POLICY, out -> out.write(text), in -> checkPolicy(q.policy(), in)));
        });
    Map<String, String> options = options();
    byte[] text = OpensmConf.write(comment(), options);
    files.add(new File(OPTIONS, out -> out.write(text), in -> checkOptions(options, in)));
    return files;
  }

  /**
   * The command line that starts OpenSM with these files, for a shell. With QoS that needs the
   * options file: lanes have no option on the command line.
   */
  public String command() {
    if (qos.isPresent() || site.isPresent()) {
      return command(Path.of(directory));
    }
    String keys = partitions.isPresent() ? " -P " + quoted(directory + "/" + PARTITIONS) : "";
    return "opensm -R file,no_fallback -U " + quoted(directory + "/" + TABLES) + keys;
  }

  /** The command line that starts OpenSM with the options file of a directory. */
  public static String command(Path directory) {
    return "opensm -F " + quoted(directory + "/" + OPTIONS);
  }

  private static String quoted(String path) {
    return path.matches("[A-Za-z0-9_./+-]+") ? path : "'" + path.replace("'", "'\\''") + "'";
  }

  private String comment() {
    String rest = "After a file here was replaced: kill -HUP the process of opensm.";
    return qos.isPresent() || site.isPresent()
        ? "Options for OpenSM: "
            + command()
            + "\nor put them into its own configuration file.\n"
            + rest
        : "Options for OpenSM's configuration file, the same as\n" + command() + "\n" + rest;
  }

  private Map<String, String> options() {
    Map<String, String> out = new LinkedHashMap<>(site.orElse(Map.of()));
    if (qos.isPresent()) {
      out.keySet().removeIf(name -> name.startsWith(QOS)); // lanes are all or nothing
    }
    out.put("routing_engine", "file,no_fallback");
    out.put("lfts_file", directory + "/" + TABLES);
    if (partitions.isPresent()) {
      out.put("partition_config_file", directory + "/" + PARTITIONS);
    }
    if (siteLanes) {
      return out;
    }
    if (qos.isPresent() || site.isPresent()) {
      out.put("qos_policy_file", directory + "/" + POLICY);
    }
    if (qos.isPresent()) {
      out.putAll(qos.get().options().options());
    } else if (site.isPresent()) {
      out.put(QOS, "FALSE"); // the site's would go by a policy that is not there
    }
    return out;
  }

  private static void checkPolicy(QosPolicy policy, InputStream in) throws IOException {
    Parsed<QosPolicy> back = QosPolicyReader.read(new Source(POLICY, in.readAllBytes()));
    if (!back.ok() || !back.get().equals(policy)) {
      throw new IllegalStateException("the QoS policy reads back differently: " + back.problems());
    }
  }

  private static void checkOptions(Map<String, String> options, InputStream in) throws IOException {
    if (!OpensmConf.read(in.readAllBytes()).equals(options)) {
      throw new IllegalStateException("the options read back differently");
    }
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
