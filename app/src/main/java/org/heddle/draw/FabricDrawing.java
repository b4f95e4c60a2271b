package org.heddle.draw;

import java.io.IOException;
import java.io.OutputStream;
import org.heddle.fabric.Fabric;
import org.heddle.topology.Recognition;

/** placeholder. */
public final class FabricDrawing {
  private FabricDrawing() {}

  /** Writes the drawing. */
  public static void render(
      Fabric fabric, Recognition recognition, DrawOptions options, OutputStream out)
      throws IOException {
    throw new UnsupportedOperationException();
  }
}
