package org.heddle.server.store;

import org.heddle.peer.PostgresCluster;
import org.heddle.peer.Program;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The same on a PostgreSQL server of its own. */
class PostgresIT extends StoreContract {
  private PostgresCluster cluster;

  @BeforeEach
  void start() {
    Program.need(Program.POSTGRES);
    cluster = PostgresCluster.start(directory);
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Override
  SqlStore open() {
    return SqlStore.postgres(cluster.url(), PostgresCluster.USER, "");
  }
}
