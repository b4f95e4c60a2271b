package org.heddle.text;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.heddle.text.TenantsFile.Tenant;

/**
 * Chooses the P_Keys of tenants that leave them to Heddle.
 *
 * <p>The key comes from the tenant's name (FNV-1a of its UTF-8 bytes) into {@value #FIRST} ..
 * {@value #LAST}, so that it does not depend on who else is in the file and where. Only when two
 * names fall on one key, or an operator's own key is there, the tenant that stands later in the
 * file takes the next free one: tenants added at the end never move another's key. O(tenants).
 */
final class TenantsKeys {
  /** Smallest automatic key, 0x4000: below it is room for keys of the operator's own. */
  static final int FIRST = 0x4000;

  /** Largest automatic key; the next one is the default partition's. */
  static final int LAST = 0x7ffe;

  private TenantsKeys() {}

  /** The base key of every tenant; 0 for one that found none. */
  static int[] assign(List<Tenant> tenants) {
    Set<Integer> taken = new HashSet<>();
    for (Tenant tenant : tenants) {
      taken.add(tenant.pkey());
    }
    int[] keys = new int[tenants.size()];
    for (int i = 0; i < keys.length; i++) {
      Tenant tenant = tenants.get(i);
      keys[i] = tenant.pkey() != 0 ? tenant.pkey() : free(tenant.name(), taken);
    }
    return keys;
  }

  private static int free(String name, Set<Integer> taken) {
    int room = LAST - FIRST + 1;
    int start = Integer.remainderUnsigned(hash(name), room);
    for (int i = 0; i < room; i++) {
      int key = FIRST + (start + i) % room;
      if (taken.add(key)) {
        return key;
      }
    }
    return 0;
  }

  private static int hash(String name) {
    int hash = 0x811c9dc5;
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ b & 0xff) * 0x01000193;
    }
    return hash;
  }
}
