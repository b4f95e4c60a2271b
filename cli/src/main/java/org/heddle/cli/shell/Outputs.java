package org.heddle.cli.shell;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.heddle.files.Replacement;

/**
 * Writes output files whole or not at all.
 *
 * <p>Every file is written beside its final name under a temporary one, and renamed by {@link
 * #commit()} once all files of the command are complete. A command that fails, or a signal, removes
 * the temporary files and leaves the old ones as they were. {@code -} is standard output.
 */
public final class Outputs implements AutoCloseable {
  /** Writes the content. */
  @FunctionalInterface
  public interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /** Reads a complete file back before it gets its name; throws if it is not as it should be. */
  @FunctionalInterface
  public interface Check {
    void read(InputStream in) throws IOException;
  }

  private record Staged(Path temporary, Path target) {}

  private final PrintStream out;
  private final List<Staged> staged = new ArrayList<>();
  private final List<Path> inputs = new ArrayList<>();
  private boolean closed;

  public Outputs(PrintStream out) {
    this.out = out;
  }

  /** Declares a file that is read by this command, so that it is not overwritten by accident. */
  public void protect(String input) {
    if (!input.equals("-")) {
      inputs.add(Inputs.path(input));
    }
  }

  /** Lets an input that has been read be replaced after all: the command is about replacing it. */
  public void release(String input) {
    Path path = Inputs.path(input);
    inputs.removeIf(path::equals); // it may have been read more than once
  }

  /**
   * Refuses a name that cannot be written, before any work is done.
   *
   * @throws Failure exit code 2
   */
  public void check(String name) {
    if (name.equals("-")) {
      return;
    }
    Path target = Inputs.path(name);
    if (Files.isDirectory(target)) {
      throw Failure.badInput(name + " is a directory; a file name is expected");
    }
    Path parent = target.toAbsolutePath().getParent();
    if (parent != null && !Files.isDirectory(parent)) {
      throw Failure.badInput(
          "cannot write " + name + ": there is no directory " + parent,
          "mkdir -p " + ShellWords.quoted(parent.toString()));
    }
    for (Path input : inputs) {
      if (isSame(input, target)) {
        throw Failure.badInput(name + " is an input of this command and would be overwritten");
      }
    }
  }

  /**
   * Makes a directory if there is none.
   *
   * @return its absolute path
   * @throws Failure exit code 2 if it cannot be made
   */
  public Path directory(String name) {
    Path path = Inputs.path(name).toAbsolutePath().normalize();
    try {
      return Files.createDirectories(path);
    } catch (IOException e) {
      throw Failure.badInput("cannot make the directory " + name + ": " + Inputs.reason(e));
    }
  }

  private static boolean isSame(Path a, Path b) {
    try {
      return Files.exists(a) && Files.exists(b) && Files.isSameFile(a, b);
    } catch (IOException e) {
      return false;
    }
  }

  /** Writes bytes; see {@link #write(String, Content)}. */
  public void write(String name, byte[] bytes) {
    write(name, stream -> stream.write(bytes));
  }

  /**
   * Writes a file under a temporary name, or to standard output at once.
   *
   * @throws Failure exit code 2 if it cannot be written
   */
  public void write(String name, Content content) {
    write(name, content, null);
  }

  /** Writes text in UTF-8; see {@link #write(String, Content)}. */
  public void text(String name, Consumer<PrintStream> content) {
    write(
        name,
        stream -> {
          PrintStream text = new PrintStream(stream, false, StandardCharsets.UTF_8);
          content.accept(text);
          text.flush();
        });
  }

  /**
   * Writes a file and reads it back; see {@link #write(String, Content)}.
   *
   * @param check null for none
   */
  public void write(String name, Content content, Check check) {
    if (name.equals("-")) {
      writeStandardOutput(content);
      return;
    }
    check(name);
    // A symbolic link stays a link: what it points to is replaced. A device is written directly.
    Path target = followLinks(Inputs.path(name).toAbsolutePath());
    try {
      if (Files.exists(target) && !Files.isRegularFile(target)) {
        try (OutputStream stream = new BufferedOutputStream(Files.newOutputStream(target))) {
          content.writeTo(stream);
        }
        return;
      }
      Path temporary = stage(target);
      try (OutputStream stream =
          new BufferedOutputStream(Files.newOutputStream(temporary), 1 << 16)) {
        content.writeTo(stream);
      }
      if (check != null) {
        try (InputStream stream = Files.newInputStream(temporary)) {
          check.read(stream);
        }
      }
    } catch (IOException e) {
      throw Failure.badInput("cannot write " + name + ": " + Inputs.reason(e));
    }
  }

  /**
   * Removes a file of an earlier run, at once.
   *
   * @throws Failure exit code 2 if it is there and cannot be removed
   */
  public void forget(String name) {
    try {
      Files.deleteIfExists(Inputs.path(name));
    } catch (IOException e) {
      throw Failure.badInput("cannot remove " + name + ": " + Inputs.reason(e));
    }
  }

  private synchronized Path stage(Path target) throws IOException {
    if (closed) {
      throw new IOException("interrupted");
    }
    Path temporary =
        target.resolveSibling(
            "." + target.getFileName() + ".heddle-" + ProcessHandle.current().pid());
    staged.add(new Staged(temporary, target));
    return temporary;
  }

  private static Path followLinks(Path path) {
    try {
      return Files.isSymbolicLink(path) && Files.exists(path) ? path.toRealPath() : path;
    } catch (IOException e) {
      return path;
    }
  }

  private void writeStandardOutput(Content content) {
    try {
      OutputStream stream = new BufferedOutputStream(new Unclosed(out), 1 << 16);
      content.writeTo(stream);
      stream.flush();
      out.flush();
    } catch (BrokenPipe e) {
      throw Failure.brokenPipe();
    } catch (IOException e) {
      // Print streams swallow errors: only the content itself can have failed.
      throw Failure.badInput("cannot write to standard output: " + Inputs.reason(e));
    }
  }

  /**
   * Gives all files their names.
   *
   * @throws Failure exit code 2 if a rename fails
   */
  public synchronized void commit() {
    for (Staged file : List.copyOf(staged)) {
      try {
        Replacement.put(file.temporary, file.target);
        staged.remove(file);
      } catch (IOException e) {
        throw Failure.badInput("cannot write " + file.target + ": " + Inputs.reason(e));
      }
    }
  }

  /** Removes what was not committed. Safe to call from a shutdown hook and more than once. */
  @Override
  public synchronized void close() {
    closed = true;
    for (Staged file : staged) {
      try {
        Files.deleteIfExists(file.temporary);
      } catch (IOException e) {
        // Nothing can be done about it here, and the command's own message matters more.
      }
    }
    staged.clear();
  }

  /** Passes whole buffers on, and keeps the print stream open. */
  private static final class Unclosed extends OutputStream {
    private final PrintStream out;

    Unclosed(PrintStream out) {
      this.out = out;
    }

    @Override
    public void write(int b) {
      out.write(b);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      out.write(bytes, from, length);
      if (out.checkError()) {
        throw new BrokenPipe();
      }
    }
  }

  /** Names of the files in a folder that end like that, ascending. */
  public List<String> namesIn(Path folder, String ending) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(ending))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw Failure.badInput("cannot list " + folder + ": " + e.getMessage());
    }
  }
}
