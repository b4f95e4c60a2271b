package org.heddle.allocation.allocator;

class LaasTest extends AllocatorContract {
  @Override
  protected String name() {
    return "laas";
  }
}
