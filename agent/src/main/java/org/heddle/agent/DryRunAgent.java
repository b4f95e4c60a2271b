package org.heddle.agent;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.heddle.control.port.FabricAgent;
import org.heddle.fabric.Counted;

/**
 * Reads a live fabric and says what would be written. The files for OpenSM are written for people
 * to look at; OpenSM is not told to load them.
 */
public final class DryRunAgent implements FabricAgent {
  private final LiveReader reader;
  private final GenerationDirectory directory;

  /** An agent that reads one way and writes into a directory only. */
  public DryRunAgent(LiveReader reader, GenerationDirectory directory) {
    this.reader = reader;
    this.directory = directory;
  }

  @Override
  public String kind() {
    return "dry-run";
  }

  @Override
  public Optional<String> noVirtualLids() {
    return Optional.of(GenerationDirectory.NO_VIRTUAL_LIDS);
  }

  @Override
  public Observation observe() {
    return reader.observe();
  }

  @Override
  public Applied apply(Target target) {
    String what =
        "dry run: " + Counted.of(target.writes().size(), "block", "blocks") + " would be written";
    try {
      Optional<String> refusal = directory.write(target);
      if (refusal.isPresent()) {
        return new Applied(0, List.of(what + "; " + refusal.get()), false);
      }
      reader.figures().files.increment();
      String where = what + ", files are in " + directory.path();
      return new Applied(0, List.of(where), false, Applied.End.FILED);
    } catch (IOException | IllegalStateException e) {
      reader.figures().filesFailed.increment();
      return new Applied(0, List.of(what, "files for OpenSM: " + e.getMessage()), false);
    }
  }

  @Override
  public List<Figure> figures() {
    return reader.figures().ofReading();
  }

  @Override
  public void onChange(Consumer<String> listener) {}

  @Override
  public void close() {
    reader.close();
  }
}
