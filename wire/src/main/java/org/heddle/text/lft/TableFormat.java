package org.heddle.text.lft;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** File formats of forwarding tables. */
public enum TableFormat {
  /** OpenSM's dump and load format; also what the diagnostics print. */
  OPENSM_LFTS("opensm-lfts", List.of(".lfts", ".txt", ".dump")),
  /** Compact tables, one byte an entry. */
  HLFT("hlft", List.of(".hlft")),
  /** OpenSM's dump with hop counts. */
  FDBS("fdbs", List.of(".fdbs"));

  private final String label;
  private final List<String> extensions;

  TableFormat(String label, List<String> extensions) {
    this.label = label;
    this.extensions = extensions;
  }

  /** The name users type. */
  public String label() {
    return label;
  }

  /** File name extensions that stand for the format when writing, with the dot. */
  public List<String> extensions() {
    return extensions;
  }

  /** The format of that name, if there is one. */
  public static Optional<TableFormat> ofLabel(String label) {
    for (TableFormat format : values()) {
      if (format.label.equals(label)) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }

  /** The format that the extension of a file name stands for, if any. */
  public static Optional<TableFormat> ofFileName(String fileName) {
    String lower = fileName.toLowerCase(Locale.ROOT);
    for (TableFormat format : values()) {
      for (String extension : format.extensions) {
        if (lower.endsWith(extension)) {
          return Optional.of(format);
        }
      }
    }
    return Optional.empty();
  }
}
