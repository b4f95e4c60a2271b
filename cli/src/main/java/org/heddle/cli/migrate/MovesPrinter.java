package org.heddle.cli.migrate;

import java.io.PrintStream;
import java.util.Locale;
import org.heddle.cli.shell.Session;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Guid;

/** Prints a plan of moves as text. */
final class MovesPrinter {
  private final PrintStream out;

  MovesPrinter(Session session) {
    this.out = session.out();
  }

  void print(MovesDocument d) {
    int number = 1;
    for (MovesDocument.Wave wave : d.waves()) {
      out.println(d.waves().size() > 1 ? "wave " + number++ + ":" : "plan:");
      wave.moves().forEach(this::move);
      int n = 1;
      for (MovesDocument.Hypervisor h : wave.hypervisors()) {
        out.println("  driver of " + h.host() + ": " + h.action() + " of LID " + h.lid());
      }
      boolean skipped = d.sent() != null && d.sent().guidsSkipped();
      for (MovesDocument.GuidWrite g : wave.guids()) {
        out.println("  " + (skipped ? "NOT SENT" : n++ + ".") + " " + guid(g));
      }
      for (MovesDocument.Step step : wave.steps()) {
        if (step.drain()) {
          out.println("  -- wait until packets in flight have arrived or been discarded");
        }
        for (MovesDocument.Write w : step.writes()) {
          out.println(
              "  "
                  + n++
                  + ". "
                  + w.name()
                  + ": block "
                  + w.block()
                  + ", "
                  + w.part()
                  + ", "
                  + w.side());
        }
      }
    }
    summary(d);
  }

  private static String guid(MovesDocument.GuidWrite g) {
    boolean none = Guid.parse(g.guid()).value() == 0;
    String where = g.host() + ": GUIDInfo block " + g.block() + ", entry " + g.entry();
    return where + (none ? " loses its vGUID" : " gets vGUID " + g.guid());
  }

  private void move(MovesDocument.Move m) {
    String what =
        switch (m.kind()) {
          case "swap" -> "LID " + m.lid() + " changes places with LID " + m.partner();
          case "copy" -> "LID " + m.lid() + " goes with it";
          default -> "LID " + m.lid() + " from now on";
        };
    out.println("  " + m.vm() + " from " + m.from() + " to " + m.to() + ": " + what);
    if (m.method() != null) {
      out.println(
          "    "
              + m.method()
              + ": "
              + Counted.of(m.switches(), "switch", "switches")
              + (m.minimumSwitches() == 0
                  ? ""
                  : " (at least " + m.minimumSwitches() + " in any case)")
              + ", "
              + Counted.of(m.lftSmps(), "table packet", "table packets"));
    }
    m.notes().forEach(note -> out.println("    note: " + note));
  }

  private void summary(MovesDocument d) {
    MovesDocument.Safety s = d.safety();
    if (s.faults() == 0 && s.creditLoopChannels() == 0) {
      out.println(
          "safe: "
              + Counted.of(s.states(), "state", "states")
              + " in between proven without loop, dead end or credit loop"
              + (d.droppedLids().isEmpty() ? "; nothing is dropped" : ""));
    }
    if (!d.droppedLids().isEmpty()) {
      out.println("dropped on purpose for the time of the move: LIDs " + d.droppedLids());
    }
    out.printf(
        Locale.ROOT,
        "%s to hypervisors (%d by datagram), %s to switches; about %.3f ms with %d in flight at "
            + "a time%n",
        Counted.of(d.hypervisorSmps(), "packet", "packets"),
        d.guidSmps(),
        Counted.of(d.lftSmps(), "packet", "packets"),
        d.cost().micros() / 1000,
        d.cost().depth());
  }
}
