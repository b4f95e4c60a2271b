package org.heddle.draw;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;

/**
 * What a drawing shows beside the fabric itself. Immutable; start from {@link #defaults()}.
 *
 * @param title heading; empty for a heading made from the fabric
 * @param subtitle line under the summary, for what the caller knows ({@code XGFT(3;6,6,6;1,6,6), 5%
 *     of links removed}); empty for none
 * @param theme colours
 * @param load distinct destinations routed over the channel that leaves at an output port, by port
 *     id; 0 for an unused channel, negative where unknown. Empty: links are drawn plain. Asked only
 *     for cables between switches
 * @param loadView which direction of a cable its colour tells
 * @param findings whether damage is marked: missing links dashed, switches with findings outlined
 * @param hostColour CSS colour of a host by node id, or null for the usual one
 * @param legend what the colours of hosts mean, as many as fit below the drawing
 */
public record DrawOptions(
    String title,
    String subtitle,
    Theme theme,
    Optional<IntUnaryOperator> load,
    LoadView loadView,
    boolean findings,
    IntFunction<String> hostColour,
    List<Key> legend) {

  public DrawOptions {
    Objects.requireNonNull(title, "title");
    Objects.requireNonNull(subtitle, "subtitle");
    Objects.requireNonNull(theme, "theme");
    Objects.requireNonNull(load, "load");
    Objects.requireNonNull(loadView, "loadView");
    Objects.requireNonNull(hostColour, "hostColour");
    legend = List.copyOf(legend);
  }

  /**
   * One colour and its meaning.
   *
   * @param colour CSS colour
   */
  public record Key(String colour, String text) {}

  /** Light, without loads, with findings, hosts in one colour. */
  public static DrawOptions defaults() {
    return new DrawOptions(
        "", "", Theme.LIGHT, Optional.empty(), LoadView.BOTH, true, _ -> null, List.of());
  }

  /** The same with another heading. */
  public DrawOptions withTitle(String text) {
    return new DrawOptions(text, subtitle, theme, load, loadView, findings, hostColour, legend);
  }

  /** The same with a line under the summary. */
  public DrawOptions withSubtitle(String text) {
    return new DrawOptions(title, text, theme, load, loadView, findings, hostColour, legend);
  }

  /** The same in other colours. */
  public DrawOptions withTheme(Theme other) {
    return new DrawOptions(title, subtitle, other, load, loadView, findings, hostColour, legend);
  }

  /** The same with channel loads by output port id. */
  public DrawOptions withLoad(IntUnaryOperator loadOfPort) {
    return new DrawOptions(
        title, subtitle, theme, Optional.of(loadOfPort), loadView, findings, hostColour, legend);
  }

  /** The same, telling another direction. */
  public DrawOptions withLoadView(LoadView view) {
    return new DrawOptions(title, subtitle, theme, load, view, findings, hostColour, legend);
  }

  /** The same with or without damage marks. */
  public DrawOptions withFindings(boolean shown) {
    return new DrawOptions(title, subtitle, theme, load, loadView, shown, hostColour, legend);
  }

  /** The same with hosts coloured by node id; the function answers null for the usual colour. */
  public DrawOptions withHostColour(IntFunction<String> colour) {
    return new DrawOptions(title, subtitle, theme, load, loadView, findings, colour, legend);
  }

  /** The same with an explanation of the hosts' colours. */
  public DrawOptions withLegend(List<Key> keys) {
    return new DrawOptions(title, subtitle, theme, load, loadView, findings, hostColour, keys);
  }
}
