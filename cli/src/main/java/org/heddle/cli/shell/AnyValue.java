package org.heddle.cli.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Stack;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Takes the next word as one more value of a list, whatever it looks like: an option handed on to
 * another program begins with a dash, and may be called like one of ours.
 */
public final class AnyValue implements IParameterConsumer {
  @Override
  public void consumeParameters(Stack<String> words, ArgSpec option, CommandSpec command) {
    if (words.isEmpty()) {
      throw new ParameterException(
          command.commandLine(), "missing value for " + option.paramLabel());
    }
    List<String> values = new ArrayList<>();
    List<String> before = option.getValue();
    if (before != null) {
      values.addAll(before);
    }
    values.add(words.pop());
    option.setValue(values);
  }
}
