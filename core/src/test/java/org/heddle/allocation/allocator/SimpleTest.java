package org.heddle.allocation.allocator;

class SimpleTest extends AllocatorContract {
  @Override
  String name() {
    return "simple";
  }
}
