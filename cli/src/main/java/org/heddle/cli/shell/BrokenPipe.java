package org.heddle.cli.shell;

import java.io.IOException;

/** Nobody reads standard output any more: the command ends quietly. */
final class BrokenPipe extends IOException {
  private static final long serialVersionUID = 1L;
}
