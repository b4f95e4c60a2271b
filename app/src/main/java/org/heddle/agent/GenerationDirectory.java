package org.heddle.agent;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.control.port.FabricAgent;
import org.heddle.opensm.ControlPartitions;
import org.heddle.opensm.OpensmFiles;
import org.heddle.text.BoundTables;
import org.heddle.text.OpensmLftsWriter;

/**
 * The directory of the files that OpenSM loads. Each is written beside its name, read back, and
 * renamed, all of them after the last was read: OpenSM never sees half of one.
 */
public final class GenerationDirectory {
  private final Path path;

  /** A directory; made when it is written to. */
  public GenerationDirectory(Path path) {
    this.path = path.toAbsolutePath().normalize();
  }

  /** Its absolute path. */
  public Path path() {
    return path;
  }

  /**
   * Writes tables and partitions.
   *
   * @return why OpenSM would not load them, then nothing is written
   * @throws IOException if they cannot be written
   * @throws IllegalStateException if they do not read back as what they should say
   */
  Optional<String> write(FabricAgent.Target target) throws IOException {
    Optional<String> refusal = OpensmLftsWriter.refusal(target.fabric(), target.tables());
    if (refusal.isPresent()) {
      return refusal;
    }
    Files.createDirectories(path);
    List<Path> made = new ArrayList<>();
    for (OpensmFiles.File file : files(target).files()) {
      Path beside = path.resolve("." + file.name() + ".new");
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(beside), 1 << 16)) {
        file.content().writeTo(out);
      }
      try (InputStream in = Files.newInputStream(beside)) {
        file.check().read(in);
      }
      made.add(beside);
    }
    for (Path beside : made) {
      String name = beside.getFileName().toString();
      Path file = path.resolve(name.substring(1, name.length() - ".new".length()));
      Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
    return Optional.empty();
  }

  private OpensmFiles files(FabricAgent.Target target) {
    OpensmFiles plain =
        new OpensmFiles(
            path,
            new BoundTables(target.fabric(), target.tables()),
            Optional.of(ControlPartitions.of(target.partitions())));
    return ControlPartitions.qos(target.partitions()).map(plain::withQos).orElse(plain);
  }

  /** The command that starts OpenSM with the files. */
  public String command() {
    return OpensmFiles.command(path);
  }
}
