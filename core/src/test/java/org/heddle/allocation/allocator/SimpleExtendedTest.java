package org.heddle.allocation.allocator;

class SimpleExtendedTest extends AllocatorContract {
  @Override
  String name() {
    return "simple-extended";
  }
}
