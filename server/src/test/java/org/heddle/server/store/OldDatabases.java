package org.heddle.server.store;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;
import org.heddle.server.RecordedCase;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Databases of every schema there ever was, made by the programs of their time, open: what is read
 * from them is what revision 31472de read from them (but where that was wrong, see {@link
 * RecordedCase}), and they can be changed. The files are in {@code store/fixtures}: the database as
 * SQL, and a conversation with a server on it.
 */
abstract class OldDatabases {
  private static final Path FIXTURES =
      Path.of("..", "server", "src/test/resources/org/heddle/server/store/fixtures");

  /** Schemas that had another one after them. */
  private static final int OLD = 5;

  @TempDir Path directory;

  /** Makes a database by statements, and opens it. */
  abstract SqlStore open(String sql) throws SQLException;

  static List<Integer> schemas() {
    return IntStream.rangeClosed(1, OLD).boxed().toList();
  }

  static void execute(Connection c, String sql) throws SQLException {
    try (Statement s = c.createStatement()) {
      for (String statement : sql.split(";\\n(?=CREATE|INSERT|$)")) {
        if (!statement.isBlank()) {
          s.execute(statement);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("schemas")
  void whatIsReadFromItIsWhatItWas(int schema) throws Exception {
    Path file = FIXTURES.resolve("V" + schema + ".http");
    List<String> recorded = Files.readAllLines(file);
    List<String> now = RecordedCase.play(recorded, directory, this::open);
    RecordedCase.compare(file, recorded, now);
  }
}
