package org.heddle.allocation.allocator;

class UnconstrainedTest extends AllocatorContract {
  @Override
  protected String name() {
    return "unconstrained";
  }
}
