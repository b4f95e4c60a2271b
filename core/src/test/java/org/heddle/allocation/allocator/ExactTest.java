package org.heddle.allocation.allocator;

class ExactTest extends AllocatorContract {
  @Override
  protected String name() {
    return "exact";
  }
}
