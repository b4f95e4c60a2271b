package org.heddle.text.topology;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import org.heddle.fabric.Guid;
import org.heddle.text.TextOut;

/**
 * Writes a node name map: {@code 0xguid "name"} a line, by GUID.
 *
 * <p>What the tools cannot read is changed: quotes, {@code #} and control characters become spaces
 * (they end a name even inside quotes), and names are cut to {@value #NAME_LIMIT} characters, since
 * lines of 255 bytes are all that is read.
 */
public final class NodeNameMapWriter {
  /** Longest name; four bytes a character is the worst UTF-8 does. */
  static final int NAME_LIMIT = 56;

  private NodeNameMapWriter() {}

  /** Writes the map; the stream is flushed and stays open. */
  public static void write(NodeNameMap map, OutputStream stream) throws IOException {
    TextOut out = new TextOut(stream);
    for (Map.Entry<Guid, String> entry : map.names().entrySet()) {
      String name = TextOut.printable(entry.getValue()).replace('"', ' ').replace('#', ' ');
      String cut = name.length() <= NAME_LIMIT ? name : name.substring(0, NAME_LIMIT);
      out.add(entry.getKey().toString()).add(" \"").add(cut).add('"').line();
    }
    out.flush();
  }
}
