package org.heddle.allocation.allocator;

class SimpleTest extends AllocatorContract {
  @Override
  protected String name() {
    return "simple";
  }
}
