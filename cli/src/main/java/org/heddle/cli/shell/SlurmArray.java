package org.heddle.cli.shell;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/**
 * Submits the shares of a command as a Slurm job array and waits for them.
 *
 * @param folder for the script and what the jobs print; on a file system that all nodes see
 * @param shares number of jobs
 * @param options further options of sbatch
 */
public record SlurmArray(Path folder, int shares, List<String> options) {
  /** Options for who submits. */
  public static final class Options {
    @Option(
        names = "--sbatch",
        paramLabel = "OPTION",
        parameterConsumer = AnyValue.class,
        description = "A further option for sbatch; may be given several times.")
    private List<String> sbatch = List.of();

    /** Further options for sbatch. */
    public List<String> sbatch() {
      return sbatch;
    }
  }

  private static final int MOST = 10_000;

  /**
   * Checks the number.
   *
   * @throws Failure exit code 2 if it is out of range
   */
  public SlurmArray {
    if (shares < 1 || shares > MOST) {
      throw Failure.badInput("--slurm must be 1 to " + MOST);
    }
    options = List.copyOf(options);
  }

  /** Runs {@code heddle ARGUMENTS --shard i/n} for every share, which all have to end with 0. */
  public void run(Session session, List<String> arguments) {
    submit(session, script(arguments, ""), ExitCode.OK);
  }

  /**
   * Runs {@code heddle ARGUMENTS --shard i/n -o FILE} for every share, which all have to end with 0
   * or 1, findings.
   *
   * @return the files, in the order of shares
   */
  public List<String> collect(Session session, List<String> arguments) {
    List<String> files = new ArrayList<>();
    for (int share = 1; share <= shares; share++) {
      String file = folder.resolve("part-" + share + ".json").toString();
      files.add(file);
      session.outputs().forget(file); // an earlier run's must not be taken for this one's
    }
    String output = " -o " + ShellWords.quoted(folder + "/part-") + "\"$SLURM_ARRAY_TASK_ID\".json";
    int code = submit(session, script(arguments, output), ExitCode.FINDINGS);
    // A job that has findings ends with 1, and so does an sbatch that refuses.
    if (files.stream().anyMatch(file -> !Files.exists(Path.of(file)))) {
      throw notComputed(code);
    }
    return files;
  }

  private int submit(Session session, byte[] text, int mostCode) {
    Path script = folder.resolve("job.sh");
    session.outputs().write(script.toString(), text);
    session.outputs().commit();
    List<String> command = new ArrayList<>(List.of("sbatch", "--wait", "--array=1-" + shares));
    command.add("--job-name=heddle");
    command.add("--output=" + folder.resolve("job-%a.log"));
    command.addAll(options);
    command.add(script.toString());
    Process process = start(command);
    try {
      int code = process.waitFor();
      if (code > mostCode) {
        throw notComputed(code);
      }
      return code;
    } catch (InterruptedException e) {
      process.destroy(); // sbatch cancels nothing: the jobs finish, and what they write is kept
      Thread.currentThread().interrupt();
      throw Failure.badInput("interrupted; the jobs keep running, squeue shows them");
    }
  }

  private Failure notComputed(int code) {
    return Failure.refused(
        "sbatch ended with " + code + ": not every share was computed",
        List.of("see " + folder.resolve("job-*.log"), "the same command tries again"));
  }

  private static Process start(List<String> command) {
    try {
      return new ProcessBuilder(command)
          .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .start();
    } catch (IOException e) {
      throw Failure.badInput(
          "cannot start sbatch: " + e.getMessage(), "install Slurm (Debian: slurm-client)");
    }
  }

  /** Starts this very Java and program again, whatever started it here. */
  private byte[] script(List<String> arguments, String more) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.add("-cp");
    words.add(System.getProperty("java.class.path"));
    words.add("org.heddle.cli.Main");
    words.addAll(arguments);
    StringBuilder text = new StringBuilder("#!/bin/sh\n# One share of a computation.\nexec");
    words.forEach(word -> text.append(' ').append(ShellWords.quoted(word)));
    text.append(" --shard \"$SLURM_ARRAY_TASK_ID/").append(shares).append('"');
    text.append(more).append('\n');
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
