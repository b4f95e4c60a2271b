package org.heddle.agent;

import org.heddle.control.port.Fence;

/** A fence at which things can happen while it is asked: the process is stopped there. */
final class TestFence implements Fence {
  private final long term;
  private boolean lost;
  private int questions;
  private int confirmations;
  private int atQuestion;
  private int atConfirmation;
  private Runnable then = () -> {};

  TestFence(long term) {
    this.term = term;
  }

  /** It says no from now on. */
  void lose() {
    lost = true;
  }

  /** Does something when it is asked for the n-th time, before it answers. */
  void beforeQuestion(int number, Runnable what) {
    atQuestion = number;
    then = what;
  }

  /** The same when it has to ask others. */
  void beforeConfirmation(int number, Runnable what) {
    atConfirmation = number;
    then = what;
  }

  /** How often it was asked. */
  int questions() {
    return questions;
  }

  @Override
  public long term() {
    return term;
  }

  @Override
  public boolean holds() {
    if (++questions == atQuestion) {
      then.run();
    }
    return !lost;
  }

  @Override
  public boolean confirm() {
    if (++confirmations == atConfirmation) {
      then.run();
    }
    return holds();
  }
}
