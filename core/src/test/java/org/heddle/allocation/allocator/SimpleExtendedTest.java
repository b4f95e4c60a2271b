package org.heddle.allocation.allocator;

class SimpleExtendedTest extends AllocatorContract {
  @Override
  protected String name() {
    return "simple-extended";
  }
}
