package org.heddle.cli.shell;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.text.Parsed;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.lft.OpensmLftsWriter;
import org.heddle.text.lft.TableFormat;
import org.heddle.text.lft.TableFormats;

/** Forwarding tables as files, in every format Heddle knows. */
public final class TableFiles {
  private static final int FARTHEST_SUGGESTION = 4;

  private TableFiles() {}

  /**
   * Reads tables of any format and size and matches them to a fabric by GUID.
   *
   * @throws Failure exit code 2 if they cannot be used
   */
  public static BoundTables read(Session session, Fabric fabric, String name) {
    session.outputs().protect(name);
    try (Progress _ = session.terminal().progress("reading " + name);
        InputStream in = session.inputs().open(name)) {
      Parsed<BoundTables> parsed = TableFormats.read(name, in, fabric);
      return session.accept(name, parsed);
    } catch (IOException e) {
      throw Failure.badInput("cannot read " + name + ": " + Inputs.reason(e));
    }
  }

  /**
   * The format to write.
   *
   * @param label what the user gave with --format, or null
   * @param output the file name, whose ending decides otherwise
   */
  public static TableFormat choose(String label, String output) {
    if (label != null) {
      return TableFormat.ofLabel(label).orElseThrow(() -> unknownFormat(label));
    }
    if (output.equals("-")) {
      return TableFormat.OPENSM_LFTS;
    }
    return TableFormat.ofFileName(output)
        .orElseThrow(
            () ->
                Failure.badInput(
                    "the name " + output + " does not say which format to write",
                    "give it one of the endings " + String.join(", ", endings()),
                    "or use --format " + String.join("|", labels())));
  }

  /**
   * The format to write where tables were given in one.
   *
   * @param given what they were given in; taken if neither the label nor the name says another
   */
  public static TableFormat choose(String label, String output, Optional<TableFormat> given) {
    boolean said = label != null || TableFormat.ofFileName(output).isPresent();
    return said || given.isEmpty() ? choose(label, output) : given.get();
  }

  /**
   * The format of a file; empty for standard input, which can be read only once.
   *
   * @throws Failure exit code 2 if it cannot be read
   */
  public static Optional<TableFormat> formatOf(Session session, String name) {
    if (name.equals("-")) {
      return Optional.empty();
    }
    try (InputStream in = session.inputs().open(name)) {
      return Optional.of(TableFormats.detect(in));
    } catch (IOException e) {
      throw Failure.badInput("cannot read " + name + ": " + Inputs.reason(e));
    }
  }

  private static Failure unknownFormat(String label) {
    String near = Suggestions.closest(label, labels(), FARTHEST_SUGGESTION);
    String known = "table formats: " + String.join(", ", labels());
    return near == null
        ? Failure.badInput("there is no table format '" + label + "'", known)
        : Failure.badInput(
            "there is no table format '" + label + "'", "did you mean " + near + "?", known);
  }

  /** Names of the formats. */
  public static List<String> labels() {
    List<String> labels = new ArrayList<>();
    for (TableFormat format : TableFormat.values()) {
      labels.add(format.label());
    }
    return labels;
  }

  private static List<String> endings() {
    List<String> endings = new ArrayList<>();
    for (TableFormat format : TableFormat.values()) {
      endings.addAll(format.extensions());
    }
    return endings;
  }

  /**
   * Writes tables.
   *
   * @throws Failure exit code 2 if the format cannot hold them or the file cannot be written
   */
  public static void write(Session session, BoundTables bound, String output, TableFormat format) {
    if (format == TableFormat.OPENSM_LFTS) {
      OpensmLftsWriter.refusal(bound.fabric(), bound.tables())
          .ifPresent(
              reason -> {
                throw Failure.badInput("OpenSM would not load these tables: " + reason);
              });
    }
    try (Progress _ = session.terminal().progress("writing " + output)) {
      session
          .outputs()
          .write(
              output, stream -> TableFormats.write(format, bound.fabric(), bound.tables(), stream));
    }
  }

  /** Number of entries that name a port. O(entries). */
  public static long entryCount(ForwardingTables tables) {
    long count = 0;
    for (int sw = 0; sw < tables.switchCount(); sw++) {
      for (int lid = 1; lid <= tables.topLid(); lid++) {
        count += tables.port(sw, lid) == ForwardingTables.NO_PORT ? 0 : 1;
      }
    }
    return count;
  }
}
