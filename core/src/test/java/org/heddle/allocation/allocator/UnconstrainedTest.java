package org.heddle.allocation.allocator;

class UnconstrainedTest extends AllocatorContract {
  @Override
  String name() {
    return "unconstrained";
  }
}
