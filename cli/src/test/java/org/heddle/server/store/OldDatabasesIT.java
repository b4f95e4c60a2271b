package org.heddle.server.store;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.heddle.peer.PostgresCluster;
import org.heddle.peer.Program;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** In PostgreSQL, on a server of its own: the same answers. */
class OldDatabasesIT extends OldDatabases {
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
  SqlStore open(String sql) throws SQLException {
    try (Connection c = DriverManager.getConnection(cluster.url(), PostgresCluster.USER, "")) {
      execute(c, sql);
    }
    return SqlStore.postgres(cluster.url(), PostgresCluster.USER, "");
  }
}
