package org.heddle.control;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The context that log lines carry besides their message: the request, epoch or pass they belong
 * to. The code that begins a piece of work sets it here; the program's logger reads it on the
 * thread that logs. Work that continues on another thread takes its context along.
 */
public final class LogContext {
  /** The id of a request. */
  public static final String REQUEST = "request";

  /** The epoch of the desired state. */
  public static final String EPOCH = "epoch";

  /** The number of a look at the fabric since the process began. */
  public static final String PASS = "pass";

  /** The id of a job. */
  public static final String JOB = "job";

  private static final ScopedValue<Map<String, String>> CURRENT = ScopedValue.newInstance();

  private LogContext() {}

  /** What is known on this thread, in the order in which it was named. */
  public static Map<String, String> current() {
    return CURRENT.orElse(Map.of());
  }

  /** Does something with more known; values that are empty are left out. */
  public static <T> T call(Map<String, String> more, Supplier<T> work) {
    Map<String, String> all = new LinkedHashMap<>(current());
    more.forEach(
        (name, value) -> {
          if (!value.isEmpty()) {
            all.put(name, value);
          }
        });
    return ScopedValue.where(CURRENT, java.util.Collections.unmodifiableMap(all)).call(work::get);
  }

  /** The same without a result. */
  public static void run(Map<String, String> more, Runnable work) {
    call(
        more,
        () -> {
          work.run();
          return null;
        });
  }
}
