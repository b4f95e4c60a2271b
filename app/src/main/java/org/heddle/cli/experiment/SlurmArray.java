package org.heddle.cli.experiment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellWords;

/**
 * Submits the shares of a run as a Slurm job array and waits for them. The output folder must be on
 * a file system that all nodes see.
 */
final class SlurmArray {
  private SlurmArray() {}

  /**
   * Runs {@code heddle ARGUMENTS --shard i/n} for every share.
   *
   * @param arguments of the command, without the share
   * @param folder for the script and what the jobs print
   * @param options further options of sbatch
   * @throws Failure if sbatch is not there or a job failed
   */
  static void run(
      Session session, List<String> arguments, int shares, Path folder, List<String> options) {
    Path script = folder.resolve("job.sh");
    session.outputs().write(script.toString(), script(arguments, shares));
    session.outputs().commit();
    List<String> command = new ArrayList<>(List.of("sbatch", "--wait", "--array=1-" + shares));
    command.add("--job-name=heddle");
    command.add("--output=" + folder.resolve("job-%a.log"));
    command.addAll(options);
    command.add(script.toString());
    Process process = start(command);
    try {
      int code = process.waitFor();
      if (code != 0) {
        throw Failure.refused(
            "sbatch ended with " + code + ": not every share was computed",
            List.of(
                "see " + folder.resolve("job-*.log"),
                "the same command goes on with the cases that are missing"));
      }
    } catch (InterruptedException e) {
      process.destroy(); // sbatch cancels nothing: the jobs finish, and their cases are kept
      Thread.currentThread().interrupt();
      throw Failure.badInput("interrupted; the jobs go on, squeue shows them");
    }
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
  private static byte[] script(List<String> arguments, int shares) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.add("-cp");
    words.add(System.getProperty("java.class.path"));
    words.add("org.heddle.cli.Main");
    words.addAll(arguments);
    StringBuilder text = new StringBuilder("#!/bin/sh\n# One share of an experiment.\nexec");
    words.forEach(word -> text.append(' ').append(ShellWords.quoted(word)));
    text.append(" --shard \"$SLURM_ARRAY_TASK_ID/").append(shares).append("\"\n");
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
