package org.heddle.cli.shell;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.heddle.text.TextOut;

/** A table for people: aligned columns, numbers to the right, two blanks between. */
public final class TextTable {
  private final List<String[]> rows = new ArrayList<>();
  private final String[] header;

  /** A table with a header line. */
  public TextTable(String... header) {
    this.header = header.clone();
  }

  /** Adds a row; cells are printed with {@link String#valueOf(Object)}. */
  public TextTable row(Object... cells) {
    String[] row = new String[header.length];
    for (int i = 0; i < row.length; i++) {
      row[i] = i < cells.length ? TextOut.printable(String.valueOf(cells[i])) : "";
    }
    rows.add(row);
    return this;
  }

  /** True if no row was added. */
  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** Prints the table, each line after {@code indent}. */
  public void print(PrintStream out, Terminal terminal, String indent) {
    int[] width = new int[header.length];
    boolean[] right = new boolean[header.length];
    for (int i = 0; i < width.length; i++) {
      width[i] = header[i].length();
      right[i] = !rows.isEmpty();
      for (String[] row : rows) {
        width[i] = Math.max(width[i], row[i].length());
        right[i] &= isNumber(row[i]);
      }
    }
    out.println(indent + terminal.bold(line(header, width, right)));
    for (String[] row : rows) {
      out.println(indent + line(row, width, right));
    }
  }

  private static String line(String[] cells, int[] width, boolean[] right) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < cells.length; i++) {
      String pad = " ".repeat(width[i] - cells[i].length());
      text.append(i == 0 ? "" : "  ").append(right[i] ? pad + cells[i] : cells[i] + pad);
    }
    return text.toString().stripTrailing();
  }

  private static boolean isNumber(String cell) {
    if (cell.isEmpty()) {
      return true;
    }
    for (int i = 0; i < cell.length(); i++) {
      char c = cell.charAt(i);
      if (!(c >= '0' && c <= '9') && ",.%-".indexOf(c) < 0) {
        return false;
      }
    }
    return true;
  }
}
