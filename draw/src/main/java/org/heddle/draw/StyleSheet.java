package org.heddle.draw;

import org.heddle.draw.layout.Detail;

/** The CSS of a drawing: one set of rules a theme; paper is always white. */
final class StyleSheet {
  private StyleSheet() {}

  static String of(Scene scene) {
    StringBuilder css = new StringBuilder(4096);
    Theme theme = scene.options().theme();
    common(css);
    colours(css, theme == Theme.DARK ? Palette.DARK : Palette.LIGHT, scene);
    if (theme == Theme.AUTO) {
      css.append("@media (prefers-color-scheme:dark){");
      colours(css, Palette.DARK, scene);
      css.append("}");
    }
    if (theme != Theme.LIGHT) {
      css.append("@media print{");
      colours(css, Palette.LIGHT, scene);
      css.append("}");
    }
    widths(css, scene);
    return css.toString();
  }

  private static void common(StringBuilder css) {
    css.append(
            "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif}")
        .append(".t{font-size:20px;font-weight:600}.s{font-size:13px}.f{font-size:12px}")
        .append(".lv{font-size:13px;font-weight:600}.lc{font-size:11px}.bl{font-size:10px}")
        .append(".hn{font-size:11px}.rn{font-size:10px}.an{font-size:9px}.sn{font-size:8px}")
        .append(".li path,.st,.mi path,.bu path{fill:none}")
        .append(".bu path{stroke-linecap:round}");
  }

  private static void colours(StringBuilder css, Palette c, Scene scene) {
    rule(css, ".bg", "fill:" + c.background());
    rule(css, "text", "fill:" + c.text());
    rule(css, ".f,.lc,.bl,.sn,.s2", "fill:" + c.faint());
    rule(css, ".b0", "fill:" + c.box() + ";stroke:" + c.boxEdge());
    rule(css, ".b1", "fill:" + c.inner() + ";stroke:" + c.boxEdge());
    rule(css, ".sw", "fill:" + c.switchFill() + ";stroke:" + c.switchEdge());
    rule(css, ".ss", "fill:" + c.solid());
    rule(css, ".h", "fill:" + c.host());
    rule(css, ".h2", "fill:" + c.background() + ";stroke:" + c.host());
    rule(css, ".st", "stroke:" + c.link());
    rule(css, ".k", "stroke:" + c.link());
    rule(css, ".u", "stroke:" + c.link() + ";stroke-dasharray:2 3");
    rule(css, ".mi path", "stroke:" + c.damage());
    if (!scene.slow().isEmpty()) {
      rule(css, ".sl path", "fill:none;stroke:" + c.damage());
    }
    rule(css, ".bad", "stroke:" + c.damage() + ";stroke-width:2");
    scene
        .scale()
        .ifPresent(
            scale -> {
              for (int bin = 0; bin < scale.bins(); bin++) {
                String colour = c.ramp(scale.fraction(bin));
                rule(css, ".q" + bin, "stroke:" + colour);
                rule(css, ".r" + bin, "fill:" + colour);
              }
            });
  }

  private static void widths(StringBuilder css, Scene scene) {
    double thin =
        switch (scene.detail()) {
          case NAMED -> 1.1;
          case DETAILED -> Math.clamp(300.0 / Math.max(1, scene.cables().strands()), 0.4, 0.9);
          case BULK -> 0.25;
        };
    rule(css, ".li .k,.li .u", "stroke-width:" + two(thin));
    rule(css, ".st", "stroke-width:1");
    rule(css, ".mi path", "stroke-width:" + two(Math.max(1, thin * 1.4)) + ";stroke-dasharray:4 3");
    if (!scene.slow().isEmpty()) {
      rule(
          css,
          ".sl path",
          "stroke-width:" + two(Math.max(1.6, thin * 2)) + ";stroke-dasharray:1 2");
    }
    if (scene.detail() != Detail.NAMED) {
      rule(css, ".li path", "stroke-opacity:" + (scene.detail() == Detail.BULK ? "0.6" : "0.85"));
    }
    if (scene.detail() == Detail.BULK) {
      rule(css, ".mi path", "stroke-opacity:0.75");
    }
    double growth = scene.detail() == Detail.NAMED ? 1 : 0.7;
    scene
        .scale()
        .ifPresent(
            scale -> {
              for (int bin = 0; bin < scale.bins(); bin++) {
                double w = thin * (1 + (scale.bins() == 1 ? 0 : growth * scale.fraction(bin)));
                rule(css, ".li .q" + bin, "stroke-width:" + two(w));
              }
            });
  }

  private static String two(double value) {
    long hundredths = Math.round(value * 100);
    return hundredths / 100 + "." + hundredths % 100 / 10 + hundredths % 10;
  }

  private static void rule(StringBuilder css, String selector, String body) {
    css.append(selector).append('{').append(body).append('}');
  }
}
