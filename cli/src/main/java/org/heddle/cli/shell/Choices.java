package org.heddle.cli.shell;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.heddle.addressing.AddressingScheme;
import org.heddle.allocation.Allocator;
import org.heddle.catalog.Catalog;
import org.heddle.migrate.Layout;
import org.heddle.pathcache.CacheMode;
import org.heddle.routing.RoutingEngine;
import org.heddle.text.lft.TableFormat;
import org.heddle.traffic.Patterns;

/** The words that shells offer for the values of options and for arguments. */
public final class Choices {
  private Choices() {}

  /** Base of the lists: picocli makes one by its class when it writes the script. */
  private abstract static class Words implements Iterable<String> {
    private final List<String> words;

    Words(List<String> words) {
      this.words = words;
    }

    @Override
    public final Iterator<String> iterator() {
      return words.iterator();
    }
  }

  /** For {@code --cache}. */
  public static final class PathCaches extends Words {
    public PathCaches() {
      super(Arrays.stream(CacheMode.values()).map(CacheMode::key).toList());
    }
  }

  /** For {@code --color}. */
  public static final class Colours extends Words {
    public Colours() {
      super(List.of("auto", "always", "never"));
    }
  }

  /** For {@code --policy}: what a controller promises. */
  public static final class Promises extends Words {
    public Promises() {
      super(List.of("links", "phy", "vlane", "def"));
    }
  }

  /** For {@code --rails}. */
  public static final class Rails extends Words {
    public Rails() {
      super(org.heddle.allocation.Rails.words());
    }
  }

  /** For {@code --fail-on}. */
  public static final class Severities extends Words {
    public Severities() {
      super(List.of("error", "warning", "info"));
    }
  }

  /** For {@code --theme}. */
  public static final class Themes extends Words {
    public Themes() {
      super(List.of("light", "dark", "auto"));
    }
  }

  /** For {@code --load}. */
  public static final class Loads extends Words {
    public Loads() {
      super(List.of("both", "up", "down"));
    }
  }

  /** For {@code apply --to}. */
  public static final class Targets extends Words {
    public Targets() {
      super(List.of("opensm-files", "umad"));
    }
  }

  /** For {@code serve --agent}. */
  public static final class Agents extends Words {
    public Agents() {
      super(List.of("emulator", "opensm", "dry-run"));
    }
  }

  /** For {@code --scheme}. */
  public static final class Schemes extends Words {
    public Schemes() {
      super(Arrays.stream(AddressingScheme.values()).map(AddressingScheme::key).toList());
    }
  }

  /** For {@code --lid-order}. */
  public static final class LidOrders extends Words {
    public LidOrders() {
      super(List.of("up", "down"));
    }
  }

  /** For {@code --method}. */
  public static final class MigrationMethods extends Words {
    public MigrationMethods() {
      super(List.of("ftree-minrc", "itrc"));
    }
  }

  /** For {@code simulate migrate --from} and {@code --to}. */
  public static final class Layouts extends Words {
    public Layouts() {
      super(Arrays.stream(Layout.values()).map(Layout::key).toList());
    }
  }

  /** For {@code migrate --order}. */
  public static final class WriteOrders extends Words {
    public WriteOrders() {
      super(List.of("safe", "paper"));
    }
  }

  /** For {@code --engine}. */
  public static final class Engines extends Words {
    public Engines() {
      super(Catalog.engines().stream().map(RoutingEngine::name).toList());
    }
  }

  /** For {@code --allocator}. */
  public static final class Allocators extends Words {
    public Allocators() {
      super(Catalog.allocators().stream().map(Allocator::name).toList());
    }
  }

  /** For {@code --queue}. */
  public static final class Queues extends Words {
    public Queues() {
      super(List.of("fifo", "easy"));
    }
  }

  /** For {@code --pattern}. */
  public static final class TrafficPatterns extends Words {
    public TrafficPatterns() {
      super(Patterns.names());
    }
  }

  /** For {@code --metric}. */
  public static final class Metrics extends Words {
    public Metrics() {
      super(
          List.of(
              "hist_max_cong",
              "hist_acc_band",
              "sum_max_cong",
              "dep_max_delay",
              "effective_bandwidth",
              "channel_load"));
    }
  }

  /** For a format of fabrics. */
  public static final class FabricFormats extends Words {
    public FabricFormats() {
      super(FabricFiles.labels());
    }
  }

  /** For a format of tables. */
  public static final class TableFormats extends Words {
    public TableFormats() {
      super(TableFiles.labels());
    }
  }

  /** For {@code plan --format}: what OpenSM loads, or the compact one. */
  public static final class PlanFormats extends Words {
    public PlanFormats() {
      super(List.of(TableFormat.OPENSM_LFTS.label(), TableFormat.HLFT.label()));
    }
  }

  /** For a format of either. */
  public static final class AllFormats extends Words {
    public AllFormats() {
      super(Stream.concat(FabricFiles.labels().stream(), TableFiles.labels().stream()).toList());
    }
  }
}
