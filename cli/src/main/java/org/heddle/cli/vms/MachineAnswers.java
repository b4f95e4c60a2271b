package org.heddle.cli.vms;

import org.heddle.cli.remote.Changed;
import org.heddle.cli.remote.Words;
import org.heddle.cli.shell.Failure;
import tools.jackson.databind.JsonNode;

/** A machine as a path and in words. */
final class MachineAnswers {
  static final Changed.Thing MACHINE = new Changed.Thing("vm", MachineAnswers::line, _ -> "");

  private MachineAnswers() {}

  /**
   * The path of a machine.
   *
   * @throws Failure exit code 2 for what cannot be a name: the path would be another one
   */
  static String path(String name) {
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9_.-]{0,62}")) {
      throw Failure.badInput("'" + name + "' is not a VM name", "'heddle vms list' shows them");
    }
    return "/v1/vms/" + name;
  }

  /** {@code on 'H_0_0', function 1, LID 8191, vGUID 0x0600000000000001}. */
  private static String line(JsonNode vm) {
    return "on '"
        + Words.text(vm, "host")
        + "', function "
        + vm.path("function").asLong(0)
        + ", LID "
        + vm.path("lid").asLong(0)
        + (vm.path("own_lid").asBoolean(true) ? "" : " (its host's)")
        + ", vGUID "
        + Words.text(vm, "vguid");
  }
}
