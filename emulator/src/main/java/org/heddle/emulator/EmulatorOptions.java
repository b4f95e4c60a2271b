package org.heddle.emulator;

/**
 * What the links and nodes of an emulated subnet do to datagrams.
 *
 * @param lossPercent how many of 100 datagrams each link loses, 0..100
 * @param latencyNs time to pass a link, in nanoseconds
 * @param answerNs how long a program may take for an answer before the one who asked is told that
 *     there is none, in nanoseconds
 * @param seed for what is random
 */
public record EmulatorOptions(int lossPercent, long latencyNs, long answerNs, long seed) {
  /** Nothing is lost, nothing takes time, programs have two seconds. */
  public static final EmulatorOptions DEFAULT = new EmulatorOptions(0, 0, 2_000_000_000L, 1);

  public EmulatorOptions {
    if (lossPercent < 0 || lossPercent > 100) {
      throw new IllegalArgumentException("a loss of " + lossPercent + " % is not 0..100");
    }
    if (latencyNs < 0 || answerNs < 1) {
      throw new IllegalArgumentException("times are not negative, and an answer takes some");
    }
  }

  /** The same with another loss. */
  public EmulatorOptions withLoss(int percent) {
    return new EmulatorOptions(percent, latencyNs, answerNs, seed);
  }

  /** The same with another time to pass a link. */
  public EmulatorOptions withLatency(long nanoseconds) {
    return new EmulatorOptions(lossPercent, nanoseconds, answerNs, seed);
  }

  /** The same with another seed. */
  public EmulatorOptions withSeed(long other) {
    return new EmulatorOptions(lossPercent, latencyNs, answerNs, other);
  }
}
