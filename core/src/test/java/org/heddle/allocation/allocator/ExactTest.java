package org.heddle.allocation.allocator;

class ExactTest extends AllocatorContract {
  @Override
  String name() {
    return "exact";
  }
}
