package org.heddle.smp.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.heddle.fabric.Guid;
import org.heddle.files.Replacement;

/**
 * A file that records a change of the fabric and its progress, so that the change can be finished
 * or undone after a crash. Append-only; every line is on disk before what it announces happens.
 *
 * <pre>
 *   heddle-smp-journal 1
 *   file NAME BEFORE AFTER                      (optional, hexadecimal: a file that goes with it)
 *   smp PHASE NODE-GUID ATTRIBUTE MODIFIER BEFORE AFTER      (64 bytes each, hexadecimal)
 *   ...
 *   drain PHASE                                 (optional: data packets have to arrive before it)
 *   plan COUNT CRC32C                                        the list is complete
 *   begin 0 / end 0 / begin 1 / ...                          on the way forward
 *   undo 1 / undone 1 / ...                                  on the way back
 * </pre>
 *
 * A last line without its line feed was being written when the crash came, and counts as not there.
 */
public final class SmpJournal implements AutoCloseable {
  private static final String HEAD = "heddle-smp-journal 1";
  private static final HexFormat HEX = HexFormat.of();

  /**
   * How far a change has come.
   *
   * @param done phases that are in force, from phase 0 on
   * @param torn true if phase {@code done} may be in force in part
   */
  public record Progress(int done, boolean torn) {}

  private final Path file;
  private final FileChannel channel;
  private final SmpPlan plan;
  private final List<byte[]> before;
  private final Optional<Companion> companion;
  private Progress progress;

  private SmpJournal(
      Path file,
      FileChannel channel,
      SmpPlan plan,
      List<byte[]> before,
      Optional<Companion> companion,
      Progress progress) {
    this.file = file;
    this.channel = channel;
    this.plan = plan;
    this.before = before;
    this.companion = companion;
    this.progress = progress;
  }

  /**
   * A file that says in its own words what the fabric is like, and has to change with it: who ends
   * the change writes it before the journal is retired.
   *
   * @param name absolute path
   * @param before its bytes if the change is undone
   * @param after its bytes if the change is finished
   */
  public record Companion(String name, byte[] before, byte[] after) {}

  /**
   * Starts a journal.
   *
   * @param file must not exist
   * @param before what each SMP of the plan overwrites, in the order of the plan
   * @throws IOException also if the file exists: another change has not been finished
   */
  public static SmpJournal create(Path file, SmpPlan plan, List<byte[]> before) throws IOException {
    return create(file, plan, before, Optional.empty());
  }

  /** The same with a file that changes with the fabric. */
  static SmpJournal create(
      Path file, SmpPlan plan, List<byte[]> before, Optional<Companion> companion)
      throws IOException {
    StringBuilder text = new StringBuilder(HEAD).append('\n');
    companion.ifPresent(
        c ->
            text.append("file ")
                .append(HEX.formatHex(c.name().getBytes(StandardCharsets.UTF_8)))
                .append(' ')
                .append(HEX.formatHex(c.before()))
                .append(' ')
                .append(HEX.formatHex(c.after()))
                .append('\n'));
    for (int i = 0; i < plan.smps().size(); i++) {
      PlannedSmp smp = plan.smps().get(i);
      text.append("smp ").append(smp.phase()).append(' ').append(Guid.format(smp.nodeGuid()));
      text.append(' ').append(smp.attributeId()).append(' ').append(smp.modifier());
      text.append(' ').append(HEX.formatHex(before.get(i)));
      text.append(' ').append(HEX.formatHex(smp.bytes())).append('\n');
    }
    plan.drains().forEach(phase -> text.append("drain ").append(phase).append('\n'));
    text.append("plan ").append(plan.smps().size()).append(' ').append(checksum(text));
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    SmpJournal journal =
        new SmpJournal(file, channel, plan, List.copyOf(before), companion, new Progress(0, false));
    try {
      journal.append(text.toString());
      Replacement.syncNames(file.toAbsolutePath().getParent());
      return journal;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static String checksum(CharSequence text) {
    CRC32C crc = new CRC32C();
    crc.update(text.toString().getBytes(StandardCharsets.US_ASCII));
    return Long.toHexString(crc.getValue());
  }

  /**
   * Opens a journal to go on with it.
   *
   * @throws IOException with the reason, if the file is not a complete journal; then nothing of its
   *     plan has been sent
   */
  public static SmpJournal open(Path file) throws IOException {
    SmpJournal read = new JournalReader(file).read();
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    byte[] bytes = Files.readAllBytes(file);
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    channel.truncate(end);
    return new SmpJournal(file, channel, read.plan, read.before, read.companion, read.progress);
  }

  /**
   * Moves a journal whose plan has come to an end out of the way; it can still be undone from
   * there.
   *
   * @return the new name, {@code FILE.done}; a journal that had it is replaced
   */
  public static Path retire(Path file) throws IOException {
    Path done = file.resolveSibling(file.getFileName() + ".done");
    return Files.move(file, done, StandardCopyOption.REPLACE_EXISTING);
  }

  /** The plan. */
  public SmpPlan plan() {
    return plan;
  }

  /** The file that changes with the fabric, if there is one. */
  public Optional<Companion> companion() {
    return companion;
  }

  /** What an SMP of the plan overwrites. */
  byte[] before(int index) {
    return before.get(index);
  }

  /** How far it has come. */
  public Progress progress() {
    return progress;
  }

  /** The file. */
  public Path file() {
    return file;
  }

  /** Says that a phase is about to be sent. */
  public void begin(int phase) throws IOException {
    append("begin " + phase);
    progress = new Progress(phase, true);
  }

  /** Says that every SMP of a phase has been answered. */
  public void end(int phase) throws IOException {
    append("end " + phase);
    progress = new Progress(phase + 1, false);
  }

  /** Says that a phase is about to be taken back. */
  public void undo(int phase) throws IOException {
    append("undo " + phase);
    progress = new Progress(phase, true);
  }

  /** Says that a phase has been taken back. */
  public void undone(int phase) throws IOException {
    append("undone " + phase);
    progress = new Progress(phase, false);
  }

  private void append(String lines) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap((lines + "\n").getBytes(StandardCharsets.US_ASCII));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
    channel.force(true);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  /** Reads a file. */
  private static final class JournalReader {
    private final Path file;
    private final List<PlannedSmp> smps = new ArrayList<>();
    private final List<byte[]> before = new ArrayList<>();
    private final List<Integer> drains = new ArrayList<>();
    private Optional<Companion> companion = Optional.empty();
    private Progress progress = new Progress(0, false);

    JournalReader(Path file) {
      this.file = file;
    }

    SmpJournal read() throws IOException {
      String text = Files.readString(file, StandardCharsets.ISO_8859_1);
      int at = 0;
      int line = 0;
      boolean complete = false;
      for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
        String content = text.substring(at, end);
        String[] words = content.split(" ");
        line++;
        try {
          if (line == 1) {
            require(content.equals(HEAD));
          } else if (words[0].equals("plan")) {
            require(!complete && words.length == 3);
            require(Integer.parseInt(words[1]) == smps.size());
            require(words[2].equals(checksum(text.substring(0, at) + "plan " + words[1] + " ")));
            complete = true;
          } else if (complete) {
            step(words);
          } else if (words[0].equals("drain")) {
            require(words.length == 2);
            drains.add(Integer.parseInt(words[1]));
          } else if (words[0].equals("file")) {
            companion(words);
          } else {
            smp(words);
          }
        } catch (IllegalArgumentException e) {
          throw new IOException(file + ":" + line + ": not a line of a journal", e);
        }
        at = end + 1;
      }
      if (!complete) {
        throw new IOException(
            file + " is not complete: its plan was never begun; it can be deleted");
      }
      return new SmpJournal(file, null, new SmpPlan(smps, drains), before, companion, progress);
    }

    private static void require(boolean condition) {
      if (!condition) {
        throw new IllegalArgumentException("unexpected content");
      }
    }

    private void companion(String[] words) {
      require(words.length == 4 && companion.isEmpty());
      String name = new String(HEX.parseHex(words[1]), StandardCharsets.UTF_8);
      companion = Optional.of(new Companion(name, HEX.parseHex(words[2]), HEX.parseHex(words[3])));
    }

    private void smp(String[] words) {
      require(words.length == 7 && words[0].equals("smp"));
      before.add(HEX.parseHex(words[5]));
      require(before.getLast().length == 64);
      smps.add(
          new PlannedSmp(
              Integer.parseInt(words[1]),
              Guid.parse(words[2]).value(),
              Integer.parseInt(words[3]),
              Integer.parseInt(words[4]),
              HEX.parseHex(words[6])));
    }

    private void step(String[] words) {
      require(words.length == 2);
      int phase = Integer.parseInt(words[1]);
      progress =
          switch (words[0]) {
            case "begin", "undo" -> new Progress(phase, true);
            case "end" -> new Progress(phase + 1, false);
            case "undone" -> new Progress(phase, false);
            default -> throw new IllegalArgumentException(words[0]);
          };
    }
  }
}
