package org.heddle.tenancy;

import java.nio.charset.StandardCharsets;
import java.util.function.IntPredicate;

/**
 * Chooses the P_Key of a tenant that leaves it to Heddle: the only place where keys are chosen, so
 * that a tenant gets the same key whether it is planned, allocated or admitted by a controller.
 *
 * <p>The key comes from the tenant's name (FNV-1a of its UTF-8 bytes, 32 bits, modulo the range)
 * into {@value #FIRST} .. {@value #LAST}, so that it does not depend on the other tenants. If that
 * key is taken, the next free one follows, {@value #FIRST} after {@value #LAST}. The keys below
 * {@value #FIRST} are the operator's own; they are used, from the top down, only once no other is
 * left. Never 0x0000, which is invalid, and never 0x7fff, the default (management) partition's.
 */
public final class PKeys {
  /** Smallest key that is made as long as there are others, 0x4000. */
  public static final int FIRST = 0x4000;

  /** Largest key of a tenant, 0x7ffe. */
  public static final int LAST = Partition.DEFAULT_PKEY - 1;

  private static final int FNV_OFFSET = 0x811c9dc5;
  private static final int FNV_PRIME = 0x01000193;

  private PKeys() {}

  /** True if a base key, without the membership bit, can be a tenant's: 0x0001 to 0x7ffe. */
  public static boolean isTenants(int key) {
    return key >= 1 && key <= LAST;
  }

  /**
   * The key of a name. O(keys that are taken in its way).
   *
   * @param taken says whether a base key is somebody's
   * @return 0 if every key is taken
   */
  public static int of(String name, IntPredicate taken) {
    int room = LAST - FIRST + 1;
    int start = Integer.remainderUnsigned(hash(name), room);
    for (int i = 0; i < room; i++) {
      int key = FIRST + (start + i) % room;
      if (!taken.test(key)) {
        return key;
      }
    }
    for (int key = FIRST - 1; key >= 1; key--) {
      if (!taken.test(key)) {
        return key;
      }
    }
    return 0;
  }

  private static int hash(String name) {
    int hash = FNV_OFFSET;
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ b & 0xff) * FNV_PRIME;
    }
    return hash;
  }
}
