package org.heddle.cli.vm;

import java.util.List;
import java.util.Locale;
import org.heddle.addressing.AddressingOptions;
import org.heddle.addressing.AddressingScheme;
import org.heddle.cli.shell.Choices;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Named;
import org.heddle.fabric.Lid;
import picocli.CommandLine.Option;

/** Options that say how machines are addressed. */
final class Addressing {
  @Option(
      names = "--scheme",
      paramLabel = "NAME",
      completionCandidates = Choices.Schemes.class,
      description =
          "prepopulated, dynamic (default), shared-port, hybrid or extended; for a new state "
              + "file only.")
  String scheme;

  @Option(
      names = "--functions",
      paramLabel = "N",
      defaultValue = "16",
      description = "Virtual functions per port (default: ${DEFAULT-VALUE}).")
  int functions;

  @Option(
      names = "--lid-order",
      paramLabel = "UP|DOWN",
      defaultValue = "up",
      completionCandidates = Choices.LidOrders.class,
      description = "Take the smallest free LIDs (up, default) or the largest (down).")
  String order;

  @Option(
      names = "--table-entries",
      paramLabel = "N",
      defaultValue = "49152",
      description = "Entries of the smallest forwarding table (default: ${DEFAULT-VALUE}).")
  int entries;

  AddressingOptions options() {
    return options(scheme == null ? AddressingScheme.DYNAMIC : named());
  }

  AddressingOptions options(AddressingScheme of) {
    if (functions < 1 || functions > AddressingOptions.MAX_FUNCTIONS) {
      throw Failure.badInput("--functions is 1 to " + AddressingOptions.MAX_FUNCTIONS);
    }
    if (entries < 2 || entries > Lid.MAX_UNICAST + 1) {
      throw Failure.badInput("--table-entries is 2 to " + (Lid.MAX_UNICAST + 1));
    }
    if (!order.equals("up") && !order.equals("down")) {
      throw Failure.badInput("--lid-order is up or down");
    }
    return AddressingOptions.of(of)
        .withFunctions(functions)
        .withFdbCapacity(entries)
        .withOrder(AddressingOptions.LidOrder.valueOf(order.toUpperCase(Locale.ROOT)));
  }

  /** The schemes asked for: one, or all. */
  List<AddressingScheme> schemes() {
    return scheme == null ? List.of(AddressingScheme.values()) : List.of(named());
  }

  private AddressingScheme named() {
    return Named.one("scheme", scheme, AddressingScheme.values(), AddressingScheme::key);
  }
}
