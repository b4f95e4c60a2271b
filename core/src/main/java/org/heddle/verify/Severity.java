package org.heddle.verify;

/** How bad a finding is. */
public enum Severity {
  /** Traffic between hosts is lost, misled or can deadlock: the tables must not be used. */
  ERROR,
  /** Something an operator should know and may have reason to accept. */
  WARNING,
  /** A fact about the fabric or its use, nothing wrong. */
  INFO
}
