package org.heddle.agent;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.heddle.control.port.AgentException;
import org.heddle.control.port.FabricAgent;
import org.heddle.fabric.Counted;

/**
 * Reads a live fabric and says what would be written. The files for OpenSM are written for people
 * to look at; OpenSM is not told to load them, and no file that the site's OpenSM reads is touched.
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
      List<String> said = new ArrayList<>();
      said.add(what + ", files are in " + directory.path());
      said.addAll(keys(target));
      return new Applied(0, said, false, Applied.End.FILED);
    } catch (IOException | IllegalStateException e) {
      reader.figures().filesFailed.increment();
      return new Applied(0, List.of(what, "files for OpenSM: " + e.getMessage()), false);
    }
  }

  /** Ports whose keys would be others; those of hosts only, which decide who talks to whom. */
  private List<String> keys(Target target) {
    try {
      PortKeys.Rules rules = PortKeys.Rules.of(reader.manager(), directory);
      return reader.astray(target.partitions(), rules).hosts().stream()
          .map(why -> "dry run: keys would change: " + why)
          .toList();
    } catch (AgentException e) {
      return List.of("dry run: keys could not be read: " + e.getMessage());
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
