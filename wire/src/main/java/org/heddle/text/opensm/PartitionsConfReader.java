package org.heddle.text.opensm;

import org.heddle.text.Parsed;
import org.heddle.text.Problem;
import org.heddle.text.Problems;
import org.heddle.text.Source;

/**
 * Reads OpenSM's {@code partitions.conf} exactly as OpenSM 3.3.23 does ({@code osm_prtn_config.c}).
 *
 * <p>OpenSM fails open: one syntax error, or a file without any definition, and it drops the whole
 * file and makes every port a full member of the default partition. Whatever has that effect is an
 * error here. What OpenSM passes over or understands in a way the author hardly meant is a warning:
 * unknown flags, words and multicast groups, lines beyond 4,094 characters, numbers taken for
 * octal, an end without a semicolon. The value of a file with warnings only is what OpenSM makes of
 * it. O(bytes).
 */
public final class PartitionsConfReader {
  static final String CUT_OFF = "was the file cut off?";

  private PartitionsConfReader() {}

  /** True if a problem says that there may be less of the file than there was. */
  public static boolean isCutOff(Problem problem) {
    return problem.message().endsWith(CUT_OFF);
  }

  /** Reads a file. */
  public static Parsed<PartitionsConf> read(Source source) {
    Problems problems = new Problems(source.name());
    OsmPartitionParser parser = new OsmPartitionParser(problems);
    return problems.result(new PartitionsConf(parser.parse(source.bytes())));
  }
}
