package org.heddle.text.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The configuration of a controller. What is empty is left to the command line, and then to its
 * default.
 *
 * @param listen {@code ADDRESS:PORT}
 * @param data directory of the database
 * @param database JDBC URL of a PostgreSQL database in place of SQLite
 * @param databaseUser user there
 * @param databasePasswordFile file with that user's password
 * @param fabric fabric file or tree for the first start
 * @param agent emulator, opensm or dry-run
 * @param engine name of the engine of the base tables
 * @param machines file that lists machines and their adapters
 * @param intervalMillis between looks at the fabric, 0 for the default
 * @param correctDrift false to show what somebody else changed and leave it
 * @param files directory of the files for OpenSM
 * @param via transport for datagrams
 * @param reload command that makes OpenSM read its files, empty for the default
 * @param tlsKeystore PKCS #12 file with key and certificate; without one there is no TLS
 * @param tlsPasswordFile file with its password
 * @param settleMillis how long OpenSM may take to program what it read
 * @param limits how often one may ask
 * @param live how to deal with a live fabric
 * @param log what is logged, and where
 * @param keys which partition keys are whose
 * @param plugins directory with the jars of plug-ins
 * @param open true if nobody needs a token as long as none was made
 * @param network who may connect
 * @param keep how much of what was is kept
 * @param quotas by owner of tenants, or {@link Quota#OTHERS}
 */
public record ServeFile(
    Optional<String> listen,
    Optional<String> data,
    Optional<String> database,
    Optional<String> databaseUser,
    Optional<String> databasePasswordFile,
    Optional<String> fabric,
    Optional<String> agent,
    Optional<String> engine,
    Optional<String> machines,
    int intervalMillis,
    boolean correctDrift,
    Optional<String> files,
    Optional<String> via,
    List<String> reload,
    Optional<String> tlsKeystore,
    Optional<String> tlsPasswordFile,
    int settleMillis,
    Limits limits,
    Live live,
    Log log,
    Keys keys,
    Optional<String> plugins,
    boolean open,
    Network network,
    Map<String, Quota> quotas,
    Keep keep) {
  /**
   * How much of what was is kept in the database; 0 for all of it.
   *
   * @param history epochs that a rollback can return to
   * @param events events
   * @param audit requests
   * @param archive directory of the files that older ones go to; empty for {@code archive} beside
   *     the database
   */
  public record Keep(int history, int events, int audit, Optional<String> archive) {
    /** That of a file that says nothing. */
    public static final Keep DEFAULT = new Keep(100_000, 100_000, 100_000, Optional.empty());
  }

  /**
   * Who may connect, and how.
   *
   * @param connectionsPerAddress at once; 0 for as many as there may be
   * @param proxies addresses and networks whose {@code X-Forwarded-For} is believed
   * @param clientCaFile certificates (PEM) of those who sign clients' certificates
   * @param clientCertificateRequired true if nobody connects without one
   */
  public record Network(
      int connectionsPerAddress,
      List<String> proxies,
      Optional<String> clientCaFile,
      boolean clientCertificateRequired) {
    /** That of a file that says nothing. */
    public static final Network DEFAULT = new Network(1000, List.of(), Optional.empty(), false);

    public Network {
      proxies = List.copyOf(proxies);
    }
  }

  /** What a tenant may have at most; what is empty is not limited. */
  public record Quota(
      OptionalInt hosts, OptionalInt links, OptionalInt vms, OptionalInt requestsPerSecond) {
    /** The name of the quota of all tenants that have none of their own. */
    public static final String OTHERS = "*";
  }

  /**
   * How to deal with a live fabric.
   *
   * @param writeDrift whether entries that OpenSM does not write again are written by datagrams
   * @param opensmConf options of the site for OpenSM, which go before ours
   * @param siteLanes true if service levels, lanes and the policy for path records are those of
   *     {@code opensmConf}
   * @param mKeyFile file with the subnet's management key
   */
  public record Live(
      boolean writeDrift,
      Optional<String> opensmConf,
      boolean siteLanes,
      Optional<String> mKeyFile) {
    /** That of a file that says nothing. */
    public static final Live DEFAULT = new Live(true, Optional.empty(), false, Optional.empty());
  }

  /**
   * What is logged, and where.
   *
   * @param level the least that is: error, warning, info or debug
   * @param json true for one JSON object a line, false for text
   * @param file to append to; empty for standard error
   */
  public record Log(String level, boolean json, Optional<String> file) {
    /** That of a file that says nothing. */
    public static final Log DEFAULT = new Log("info", false, Optional.empty());
  }

  /**
   * Which partition keys are whose.
   *
   * @param tenant of partitions that the provider and tenants make
   * @param client of those that clients of UFM's partition interface make
   * @param job of those that jobs make
   */
  public record Keys(Optional<KeyRange> tenant, Optional<KeyRange> client, Optional<KeyRange> job) {
    /** Those of a file that says nothing: all keys are everybody's. */
    public static final Keys DEFAULT =
        new Keys(Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** Keys from {@code first} to {@code last}, both of them included, without membership bit. */
  public record KeyRange(int first, int last) {}

  /**
   * How often one may ask; 0 for as often as one likes.
   *
   * @param requestsPerSecond of each credential of a tenant or a viewer
   * @param providerRequestsPerSecond of each credential of a provider
   * @param failuresPerMinute wrong credentials from each address
   */
  public record Limits(
      int requestsPerSecond, int providerRequestsPerSecond, int failuresPerMinute) {
    /** Those of a file that says nothing. */
    public static final Limits DEFAULT = new Limits(50, 0, 30);
  }

  /** How long OpenSM may take unless the file says otherwise. */
  public static final int SETTLE_MILLIS = 10_000;

  /** A file that says nothing. */
  public static final ServeFile EMPTY =
      new ServeFile(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          0,
          true,
          Optional.empty(),
          Optional.empty(),
          List.of(),
          Optional.empty(),
          Optional.empty(),
          SETTLE_MILLIS,
          Limits.DEFAULT,
          Live.DEFAULT,
          Log.DEFAULT,
          Keys.DEFAULT,
          Optional.empty(),
          false,
          Network.DEFAULT,
          Map.of(),
          Keep.DEFAULT);

  public ServeFile {
    reload = List.copyOf(reload);
    quotas = Map.copyOf(quotas);
  }
}
