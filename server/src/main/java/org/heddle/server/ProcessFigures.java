package org.heddle.server;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Figures of the process and its Java machine, named as Prometheus' clients name them. What the
 * system does not tell is left out.
 */
final class ProcessFigures {
  private static final double NANOS = 1e9;
  private static final double MILLIS = 1e3;
  private static final int KIB = 1024;
  private static final Pattern OPEN_FILES = Pattern.compile("^Max open files +(\\d+) ");
  private static final Path SELF = Path.of("/proc/self");

  private ProcessFigures() {}

  static void add(StringBuilder out) {
    figure(
        out,
        "process_start_time_seconds",
        "gauge",
        "When the process started, since 1970",
        ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS);
    ProcessHandle.current()
        .info()
        .totalCpuDuration()
        .ifPresent(
            d ->
                figure(
                    out,
                    "process_cpu_seconds_total",
                    "counter",
                    "Time on processors",
                    d.toNanos() / NANOS));
    memory(out);
    descriptors(out);
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    Metrics.head(out, "jvm_memory_used_bytes", "gauge", "Memory in use");
    area(out, "jvm_memory_used_bytes", "heap", memory.getHeapMemoryUsage().getUsed());
    area(out, "jvm_memory_used_bytes", "nonheap", memory.getNonHeapMemoryUsage().getUsed());
    MemoryUsage heap = memory.getHeapMemoryUsage();
    Metrics.head(out, "jvm_memory_max_bytes", "gauge", "Memory that may be used");
    area(out, "jvm_memory_max_bytes", "heap", heap.getMax());
    long collections = 0;
    long millis = 0;
    for (GarbageCollectorMXBean gc : ManagementFactory.getGarbageCollectorMXBeans()) {
      collections += Math.max(0, gc.getCollectionCount());
      millis += Math.max(0, gc.getCollectionTime());
    }
    figure(out, "jvm_gc_collections_total", "counter", "Garbage collections", collections);
    figure(
        out,
        "jvm_gc_collection_seconds_total",
        "counter",
        "Time of garbage collections",
        millis / MILLIS);
    figure(
        out,
        "jvm_threads_current",
        "gauge",
        "Threads of the platform",
        ManagementFactory.getThreadMXBean().getThreadCount());
  }

  private static void memory(StringBuilder out) {
    try (Stream<String> lines = Files.lines(SELF.resolve("status"))) {
      lines
          .filter(line -> line.startsWith("VmRSS:"))
          .findFirst()
          .ifPresent(
              line ->
                  figure(
                      out,
                      "process_resident_memory_bytes",
                      "gauge",
                      "Memory of the machine that the process has",
                      Double.parseDouble(line.replaceAll("\\D", "")) * KIB));
    } catch (IOException _) {
      // no Linux
    }
  }

  private static void descriptors(StringBuilder out) {
    try (Stream<Path> all = Files.list(SELF.resolve("fd"))) {
      figure(out, "process_open_fds", "gauge", "Files and connections that are open", all.count());
    } catch (IOException _) {
      // no Linux
    }
    try (Stream<String> lines = Files.lines(SELF.resolve("limits"))) {
      lines
          .map(OPEN_FILES::matcher)
          .filter(Matcher::find)
          .findFirst()
          .ifPresent(
              m ->
                  figure(
                      out,
                      "process_max_fds",
                      "gauge",
                      "Files and connections that may be open",
                      Double.parseDouble(m.group(1))));
    } catch (IOException _) {
      // no Linux
    }
  }

  private static void area(StringBuilder out, String name, String area, double value) {
    out.append(name).append("{area=\"").append(area).append("\"} ");
    out.append((long) value).append('\n');
  }

  private static void figure(
      StringBuilder out, String name, String type, String help, double value) {
    Metrics.head(out, name, type, help);
    out.append(name).append(' ');
    boolean whole = value == Math.rint(value);
    (whole ? out.append((long) value) : out.append(value)).append('\n');
  }
}
