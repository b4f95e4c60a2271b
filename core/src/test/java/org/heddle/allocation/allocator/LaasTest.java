package org.heddle.allocation.allocator;

class LaasTest extends AllocatorContract {
  @Override
  String name() {
    return "laas";
  }
}
