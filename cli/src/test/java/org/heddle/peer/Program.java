package org.heddle.peer;

import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * A program that some tests need and not every machine has, and the Debian package it comes in.
 *
 * <p>{@link #need} is the only reason why a test of this project is skipped: a test of the module
 * {@code quality} finds any other. Under {@code CI=true} nothing is skipped, a missing program is a
 * failure. {@code mvn verify} ends with a list of what was skipped.
 */
public enum Program {
  OPENSM("opensm", "opensm"),
  IBSIM("ibsim", "ibsim-utils"),
  IBSIM_RUN("ibsim-run", "ibsim-utils"),
  IBNETDISCOVER("ibnetdiscover", "infiniband-diags"),
  DUMP_FTS("dump_fts", "infiniband-diags"),
  IBROUTE("ibroute", "infiniband-diags"),
  SAQUERY("saquery", "infiniband-diags"),
  SMPQUERY("smpquery", "infiniband-diags"),
  CHROMIUM("chromium", "chromium") {
    @Override
    public Optional<Path> find() {
      return Stream.of("chromium", "chromium-browser", "google-chrome")
          .flatMap(name -> onPath(name).stream())
          .findFirst();
    }
  },
  POSTGRES("postgres", "postgresql") {
    @Override
    public Optional<Path> find() {
      if (!Files.isDirectory(INSTALLED_POSTGRES)) {
        return Optional.empty();
      }
      try (Stream<Path> versions = Files.list(INSTALLED_POSTGRES)) {
        return versions
            .map(v -> v.resolve("bin/postgres"))
            .filter(Files::isExecutable)
            .max(Comparator.naturalOrder());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  },
  SLURMCTLD("slurmctld", "slurm-wlm"),
  SLURMD("slurmd", "slurm-wlm"),
  SBATCH("sbatch", "slurm-wlm"),
  MUNGED("munged", "munge"),
  DPKG_DEB("dpkg-deb", "dpkg"),
  RPMBUILD("rpmbuild", "rpm"),
  PROMTOOL("promtool", "prometheus"),
  BASH("bash", "bash"),
  CURL("curl", "curl"),
  NODE("node", "nodejs"),
  NPM("npm", "npm"),
  PYTHON("python3", "python3"),
  ANSIBLE("ansible-playbook", "ansible-core"),
  /** No program, but the same to a test: without a font nothing can be written into a figure. */
  FONTS("a font for Java", "fonts-dejavu-core") {
    @Override
    public Optional<Path> find() {
      try {
        new Font(Font.SANS_SERIF, Font.PLAIN, 1)
            .getStringBounds("x", new FontRenderContext(null, true, true));
        return Optional.of(Path.of("fonts"));
      } catch (RuntimeException | LinkageError | InternalError e) {
        return Optional.empty(); // what Java throws where it finds none
      }
    }
  };

  private static final Path INSTALLED_POSTGRES = Path.of("/usr/lib/postgresql");

  private final String program;
  private final String debianPackage;

  Program(String program, String debianPackage) {
    this.program = program;
    this.debianPackage = debianPackage;
  }

  /** Skips the calling test, or fails it if {@code CI=true}, unless all of them are there. */
  public static void need(Program... programs) {
    List<String> missing = new ArrayList<>();
    List<String> packages = new ArrayList<>();
    for (Program p : programs) {
      if (p.find().isEmpty()) {
        missing.add(p.program);
        if (!packages.contains(p.debianPackage)) {
          packages.add(p.debianPackage);
        }
      }
    }
    if (missing.isEmpty()) {
      return;
    }
    String message =
        "missing: %s; apt-get install %s"
            .formatted(String.join(", ", missing), String.join(" ", packages));
    if ("true".equals(System.getenv("CI"))) {
      Assertions.fail(message);
    }
    System.err.println("SKIPPED, " + message);
    Assumptions.abort(message);
  }

  /** Where it is on this machine. */
  public Optional<Path> find() {
    return onPath(program);
  }

  /** The search path for programs; system directories are added, users do not have them. */
  static String searchPath() {
    String path = System.getenv("PATH");
    return (path == null ? "" : path + ":") + "/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin";
  }

  private static Optional<Path> onPath(String program) {
    return Stream.of(searchPath().split(":"))
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory + File.separator + program))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
