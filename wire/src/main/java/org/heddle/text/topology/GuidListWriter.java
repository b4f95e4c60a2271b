package org.heddle.text.topology;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import org.heddle.fabric.Guid;
import org.heddle.text.TextOut;

/** Writes a GUID file for OpenSM: one {@code 0x} and 16 digits a line, in the given order. */
public final class GuidListWriter {
  private GuidListWriter() {}

  /** Writes the list; the stream is flushed and stays open. */
  public static void write(List<Guid> guids, OutputStream stream) throws IOException {
    write(guids, Map.of(), stream);
  }

  /**
   * Writes the list with comments.
   *
   * @param comments what to write behind a GUID, for people; cut to what OpenSM can read
   */
  public static void write(List<Guid> guids, Map<Guid, String> comments, OutputStream stream)
      throws IOException {
    TextOut out = new TextOut(stream);
    for (Guid guid : guids) {
      out.add(guid.toString());
      String comment = comments.get(guid);
      if (comment != null && !comment.isEmpty()) {
        // 18 characters are the GUID's; four bytes a character is the worst UTF-8 does.
        String text = TextOut.printable(comment);
        out.add(" # ").add(text.length() <= 50 ? text : text.substring(0, 50));
      }
      out.line();
    }
    out.flush();
  }
}
