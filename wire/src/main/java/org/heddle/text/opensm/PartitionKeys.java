package org.heddle.text.opensm;

import java.util.HashSet;
import java.util.Set;
import java.util.TreeMap;

/** The P_Keys in use while OpenSM reads its partitions file, and how it makes new ones. */
final class PartitionKeys {
  private static final int MAX_NAME = 32;

  // OpenSM walks its partitions in the order of the key with its two bytes swapped
  private final TreeMap<Integer, String> nameBySwapped = new TreeMap<>();
  private final Set<Integer> ipoib = new HashSet<>();
  private int counter;

  PartitionKeys() {
    nameBySwapped.put(swapped(PartitionsConf.DEFAULT_PKEY), "Default");
  }

  private static int swapped(int pkey) {
    return (pkey & 0xff) << 8 | pkey >> 8;
  }

  /** The key of a partition of that name, else the smallest unused one; 0 if none is left. */
  int generate(String name) {
    if (name != null) {
      for (var entry : nameBySwapped.entrySet()) {
        if (cut(entry.getValue()).equals(cut(name))) {
          return swapped(entry.getKey());
        }
      }
    }
    while (counter < PartitionsConf.DEFAULT_PKEY - 1) {
      counter++;
      if (!nameBySwapped.containsKey(swapped(counter))) {
        return counter;
      }
    }
    return 0;
  }

  private static String cut(String name) {
    return name.length() <= MAX_NAME ? name : name.substring(0, MAX_NAME);
  }

  /** Notes a definition; the name of an earlier one of the same key, or null. */
  String define(int pkey, String name) {
    return nameBySwapped.putIfAbsent(swapped(pkey), name.isEmpty() ? "%04x".formatted(pkey) : name);
  }

  void ipoib(int pkey) {
    ipoib.add(pkey);
  }

  boolean hasIpoib(int pkey) {
    return ipoib.contains(pkey);
  }
}
