package org.heddle.mad;

/**
 * Transaction ids, as far as a program may choose them.
 *
 * <p>The upper 32 bits belong to what is between the program and the wire: the kernel writes the
 * number of the agent there, ibsim the number of its client. The lower 32 bits come back as they
 * were sent. Here they are divided, so that an answer finds its request without a search, a late
 * answer to an earlier attempt counts, and an answer to an earlier user of the slot does not:
 *
 * <pre>
 *  31..12 sequence | 11..4 slot | 3..0 attempt
 * </pre>
 */
public final class TransactionId {
  /** Number of slots. */
  public static final int SLOTS = 256;

  /** Number of attempts. */
  public static final int ATTEMPTS = 16;

  private static final int SEQUENCES = 1 << 20;

  private TransactionId() {}

  /** The id of an attempt; the sequence counts modulo 2^20. */
  public static long of(int sequence, int slot, int attempt) {
    return Integer.toUnsignedLong(sequence << 12 | slot << 4 | attempt);
  }

  /** The sequence modulo 2^20. */
  public static int sequence(long id) {
    return (int) id >>> 12;
  }

  /** The slot, 0..255. */
  public static int slot(long id) {
    return (int) id >>> 4 & SLOTS - 1;
  }

  /** The attempt, 0..15. */
  public static int attempt(long id) {
    return (int) id & ATTEMPTS - 1;
  }

  /** The sequence number after that one, never 0: 0 marks ids of others. */
  public static int next(int sequence) {
    return sequence + 1 == SEQUENCES ? 1 : sequence + 1;
  }
}
