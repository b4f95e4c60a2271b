package org.heddle.text.topology;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.text.FileKinds;
import org.heddle.text.LineReader;
import org.heddle.text.Parsed;
import org.heddle.text.Problems;
import org.heddle.text.Source;
import org.heddle.text.Sources;

/**
 * The file formats that hold a fabric. Reading finds the format by content, never by file name, and
 * unpacks gzip; writing is by id.
 */
public enum FabricFormats {
  /** Full ibnetdiscover output and its dialects. */
  IBNETDISCOVER(
      "ibnetdiscover",
      "ibnetdiscover output, also ibdiagnet2's and ibsim netlists",
      IbnetdiscoverReader::read,
      IbnetdiscoverWriter::write),

  /** What ibsim loads; read by the same reader. */
  IBSIM("ibsim", "netlist for ibsim", IbnetdiscoverReader::read, IbsimNetlistWriter::write),

  /** The link list that OpenSM dumps. */
  SUBNET_LIST(
      "subnet-lst", "OpenSM's opensm-subnet.lst", SubnetListReader::read, SubnetListWriter::write);

  private interface Reader {
    Parsed<Fabric> read(Source source);
  }

  private interface Writer {
    void write(Fabric fabric, OutputStream stream) throws IOException;
  }

  private final String id;
  private final String title;
  private final Reader reader;
  private final Writer writer;

  FabricFormats(String id, String title, Reader reader, Writer writer) {
    this.id = id;
    this.title = title;
    this.reader = reader;
    this.writer = writer;
  }

  /** The name to give on a command line. */
  public String id() {
    return id;
  }

  /** One line for a person. */
  public String title() {
    return title;
  }

  /** The format of that id, or empty. */
  public static Optional<FabricFormats> byId(String id) {
    for (FabricFormats format : values()) {
      if (format.id.equals(id)) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }

  /**
   * Finds the format by the first line that only one of them can have. Netlists count as {@link
   * #IBNETDISCOVER}: one reader reads both. Empty if no line tells. Expects unpacked bytes.
   */
  public static Optional<FabricFormats> detect(Source source) {
    LineReader lines = new LineReader(source.bytes());
    for (String line = lines.next(); line != null; line = lines.next()) {
      String text = line.stripLeading();
      if (text.startsWith("{") && text.contains("NodeGUID:") && text.contains("Ports:")) {
        return Optional.of(SUBNET_LIST);
      }
      NodeHeader header = NodeHeader.parse(text);
      if (header != null && header.failure() == null) {
        return Optional.of(IBNETDISCOVER);
      }
    }
    return Optional.empty();
  }

  /**
   * Reads a fabric in whatever format it is, unpacking gzip. A file of another kind is an error
   * that says what was expected and, if it can be told, what the file is.
   */
  public static Parsed<Fabric> read(Source source) {
    Parsed<Source> unpacked = Sources.decompress(source);
    if (!unpacked.ok()) {
      return new Parsed<>(null, unpacked.problems());
    }
    Source plain = unpacked.get();
    Optional<FabricFormats> format = detect(plain);
    if (format.isPresent()) {
      return format.get().reader.read(plain);
    }
    Problems problems = new Problems(source.name());
    problems.error(
        0,
        "not a fabric; expected ibnetdiscover output, an ibsim netlist or opensm-subnet.lst"
            + FileKinds.hint(plain, "an ibnetdiscover"));
    return problems.result(null);
  }

  /** Reads a file of this format, already unpacked. */
  public Parsed<Fabric> readAs(Source source) {
    return reader.read(source);
  }

  /** Writes a fabric in this format; the stream is flushed and stays open. */
  public void write(Fabric fabric, OutputStream stream) throws IOException {
    writer.write(fabric, stream);
  }
}
