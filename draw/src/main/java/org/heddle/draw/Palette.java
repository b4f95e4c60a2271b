package org.heddle.draw;

/**
 * The colours of one theme and the load ramp.
 *
 * <p>The ramp is viridis (van der Walt and Smith, 2015): perceptually uniform, safe for
 * colour-blind readers, ordered in grey. Its bright end is left out on white and its dark end on
 * black, and on white it is turned round, so that more load is always more contrast.
 */
record Palette(
    String background,
    String text,
    String faint,
    String box,
    String boxEdge,
    String inner,
    String switchFill,
    String switchEdge,
    String solid,
    String host,
    String link,
    String damage,
    boolean dark) {

  private static final int[] VIRIDIS = {
    0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b,
    0xfde725
  };

  static final Palette LIGHT =
      new Palette(
          "#ffffff", "#1f2933", "#66717d", "#f4f6f8", "#dde3e8", "#e9eef2", "#ffffff", "#4a5a6a",
          "#4a5a6a", "#7d93a8", "#9aa7b3", "#d1242f", false);

  static final Palette DARK =
      new Palette(
          "#12171d", "#e6ebf0", "#93a1af", "#1a2129", "#2c3743", "#222b35", "#1f2933", "#8ea2b5",
          "#8ea2b5", "#6f8aa5", "#5d6b79", "#ff6b6b", true);

  /** Colour of the ramp at a fraction, 0 least load, 1 most. */
  String ramp(double fraction) {
    double t = dark ? 0.22 + 0.78 * fraction : 0.8 * (1 - fraction);
    double at = Math.clamp(t, 0, 1) * (VIRIDIS.length - 1);
    int i = Math.min((int) at, VIRIDIS.length - 2);
    double f = at - i;
    int colour = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
      int a = VIRIDIS[i] >> shift & 0xff;
      int b = VIRIDIS[i + 1] >> shift & 0xff;
      colour |= (int) Math.round(a + (b - a) * f) << shift;
    }
    StringBuilder hex = new StringBuilder("#");
    for (int shift = 20; shift >= 0; shift -= 4) {
      hex.append(Character.forDigit(colour >> shift & 0xf, 16));
    }
    return hex.toString();
  }
}
