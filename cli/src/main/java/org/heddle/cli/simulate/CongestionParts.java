package org.heddle.cli.simulate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.congestion.Statistics;

/** Puts documents of parts of a run together to that of the run. */
final class CongestionParts {
  private record Part(String file, CongestionDocument document, Statistics statistics) {}

  private CongestionParts() {}

  /**
   * The document of the whole run.
   *
   * @param files in any order
   * @throws Failure exit code 2 if one is not a part, or they do not make a run
   */
  static CongestionDocument merge(Session session, List<String> files) {
    List<Part> parts = new ArrayList<>();
    for (String file : files) {
      parts.add(read(session, file));
    }
    return merge(parts);
  }

  private static Part read(Session session, String file) {
    String expected = "the output of 'heddle simulate congestion --shard .. -o FILE'";
    CongestionDocument document = Json.read(session, file, CongestionDocument.class, expected);
    try {
      return new Part(file, document, document.statistics());
    } catch (IllegalArgumentException e) {
      throw Failure.badInput(file + ": " + e.getMessage(), expected + " is expected");
    }
  }

  private static CongestionDocument merge(List<Part> parts) {
    parts.sort(Comparator.comparingLong(p -> p.document.from()));
    Part first = parts.getFirst();
    Statistics sum = new Statistics(first.statistics.channels());
    long next = 0;
    for (Part part : parts) {
      if (!part.document.setup().sameAs(first.document.setup())
          || part.statistics.channels() != sum.channels()) {
        throw Failure.badInput(part.file + " is from another run than " + first.file);
      }
      if (part.document.from() != next) {
        throw part.document.from() < next
            ? Failure.badInput(part.file + " holds trials that another file also holds")
            : missing(next, part.document.from());
      }
      next = part.document.to();
      sum.add(part.statistics);
    }
    long all = first.document.setup().trials();
    if (next != all) {
      throw missing(next, all);
    }
    return new CongestionDocument(
        CongestionDocument.FORMAT,
        first.document.setup(),
        0,
        all,
        CongestionDocument.results(sum, channels(first, sum)));
  }

  private static Failure missing(long from, long to) {
    return Failure.badInput("trials " + from + " to " + (to - 1) + " are in none of the files");
  }

  private static List<CongestionDocument.ChannelCount> channels(Part first, Statistics sum) {
    List<CongestionDocument.ChannelCount> channels = first.document.results().channels();
    if (channels == null) {
      return null;
    }
    List<CongestionDocument.ChannelCount> out = new ArrayList<>();
    for (int c = 0; c < channels.size(); c++) {
      CongestionDocument.ChannelCount one = channels.get(c);
      out.add(
          new CongestionDocument.ChannelCount(one.node(), one.port(), sum.load(c), sum.peak(c)));
    }
    return out;
  }
}
