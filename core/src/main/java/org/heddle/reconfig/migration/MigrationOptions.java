package org.heddle.reconfig.migration;

/**
 * How a move is planned.
 *
 * @param method which switches are considered
 * @param order in which order they are written
 * @param alwaysDrop true to drop the LID temporarily even where that is proven to be unnecessary
 */
public record MigrationOptions(Method method, Order order, boolean alwaysDrop) {

  /** Which switches change. */
  public enum Method {
    /** All whose entries differ; any topology (Tasoulas, thesis, paper II). */
    ITRC("itrc"),
    /** Those on the skyline of the sub-tree; fat-trees (paper V, section 6.2). */
    FTREE_MINRC("ftree-minrc");

    private final String key;

    Method(String key) {
      this.key = key;
    }

    /** The name users type. */
    public String key() {
      return key;
    }
  }

  /** In which order switches are written. */
  public enum Order {
    /**
     * Destination side bottom-up, common ancestors, source side top-down: every switch after those
     * on its new way. No state in between has a loop or a dead end.
     */
    DESTINATION_FIRST,
    /** The switches of the active routes, then the rest, as the paper does. */
    ACTIVE_FIRST
  }

  /** FTreeMinRC, destination first, no drop where a proof says so. */
  public static final MigrationOptions DEFAULT =
      new MigrationOptions(Method.FTREE_MINRC, Order.DESTINATION_FIRST, false);

  /** The same with another method. */
  public MigrationOptions withMethod(Method other) {
    return new MigrationOptions(other, order, alwaysDrop);
  }

  /** The same with another order. */
  public MigrationOptions withOrder(Order other) {
    return new MigrationOptions(method, other, alwaysDrop);
  }

  /** The same, always dropping the LID temporarily. */
  public MigrationOptions dropping() {
    return new MigrationOptions(method, order, true);
  }
}
