package org.heddle.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.heddle.control.port.FabricAgent.Figure;
import org.heddle.smp.client.SmpClient;

/** What an agent has done since the start. Thread-safe. */
final class AgentFigures {
  final LongAdder files = new LongAdder();
  final LongAdder signals = new LongAdder();
  final LongAdder signalsFailed = new LongAdder();
  final LongAdder corrections = new LongAdder();
  final LongAdder filesFailed = new LongAdder();
  final LongAdder keyCorrections = new LongAdder();
  final LongAdder held = new LongAdder();
  final LongAdder overtaken = new LongAdder();
  final LongAdder unsettled = new LongAdder();
  private final LongAdder smps = new LongAdder();
  private final LongAdder retries = new LongAdder();
  private final LongAdder timeouts = new LongAdder();

  /** As the last look has found it. */
  private volatile Found found = Found.NOTHING;

  /**
   * What is wrong, beside what counts.
   *
   * @param manager state of the master as it says itself, -1 if it does not answer, -2 if there was
   *     none yet
   * @param other another subnet manager than the one that was told leads
   * @param hostKeys ports of hosts have other keys
   * @param switchKeys ports of switches have other keys, or do not enforce them
   * @param lanes lanes are not in force
   * @param untold OpenSM may have read other files, and was not told since
   */
  record Found(
      int manager,
      boolean other,
      boolean hostKeys,
      boolean switchKeys,
      boolean lanes,
      boolean untold) {
    static final Found NOTHING = new Found(-2, false, false, false, false, false);
  }

  void found(Found now) {
    found = now;
  }

  private static Figure wrong(String name, String help, boolean value) {
    return new Figure("agent_" + name, false, "1 if " + help, value ? 1 : 0);
  }

  /** What a client had counted when it was looked at last. */
  private long sent;

  private long resent;
  private long silent;

  /** Takes over what a client has counted; from one thread at a time. */
  void count(SmpClient client) {
    smps.add(client.sent() - sent);
    retries.add(client.resent() - resent);
    timeouts.add(client.silent() - silent);
    sent = client.sent();
    resent = client.resent();
    silent = client.silent();
  }

  /** Datagrams of a client of its own. */
  void beats(long count) {
    smps.add(count);
  }

  /** The next client counts from zero. */
  void another() {
    sent = 0;
    resent = 0;
    silent = 0;
  }

  private static Figure counter(String name, String help, LongAdder value) {
    return new Figure("agent_" + name + "_total", true, help, value.sum());
  }

  /** Of everybody who reads by datagrams. */
  List<Figure> ofReading() {
    return List.of(
        counter("smps", "Management datagrams sent, repetitions not counted", smps),
        counter("smp_retries", "Management datagrams sent again", retries),
        counter("smp_timeouts", "Requests that stayed without an answer", timeouts),
        counter("files_written", "Times that the files for OpenSM were written", files),
        counter("files_failed", "Times that they could not be written", filesFailed));
  }

  /**
   * All of them.
   *
   * @param unwritten true while files cannot be written
   */
  List<Figure> all(WrittenFiles written, boolean unwritten) {
    List<Figure> out = new ArrayList<>(ofReading());
    Found now = found;
    out.add(
        new Figure(
            "agent_subnet_manager_state",
            false,
            "Of the master: 0 not active, 1 discovering, 2 standby, 3 master; -1 does not answer,"
                + " -2 none was here yet",
            now.manager));
    out.add(wrong("subnet_manager_other", "another one than was told leads", now.other));
    out.add(wrong("host_keys_wrong", "ports of hosts had other keys", now.hostKeys));
    out.add(
        wrong(
            "switch_keys_wrong",
            "ports of switches had other keys or did not enforce them",
            now.switchKeys));
    out.add(wrong("lanes_wrong", "lanes are not in force", now.lanes));
    out.add(wrong("untold", "OpenSM was not told since its files were changed", now.untold));
    out.add(wrong("files_unwritten", "files for OpenSM cannot be written", unwritten));
    out.add(
        new Figure(
            "agent_files_damaged_total",
            true,
            "Times that a file for OpenSM was found to be another one",
            written.damages()));
    out.add(
        new Figure(
            "agent_files_wrong",
            false,
            "Files for OpenSM that are not what was written",
            written.wrong()));
    out.add(counter("signals", "Times that OpenSM was told to read its files", signals));
    out.add(counter("signals_failed", "Times that telling OpenSM failed", signalsFailed));
    out.add(counter("unsettled", "Times that OpenSM did not program what it was told", unsettled));
    out.add(counter("overtaken", "Waits ended since the fabric was another one", overtaken));
    out.add(counter("corrections", "Corrections of entries written by datagrams", corrections));
    out.add(counter("key_corrections", "Corrections of keys written by datagrams", keyCorrections));
    out.add(counter("corrections_held", "Corrections left, as there were too many", held));
    return out;
  }
}
