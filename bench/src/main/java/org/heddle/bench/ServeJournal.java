package org.heddle.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * How long a controller takes to start whose database has a long history, and what disk it takes. A
 * controller makes and deletes a tenant; what that left in the journal and the events is copied
 * until there are as many entries as wanted; then it is started again. Run by {@code
 * bench/serve-journal}.
 */
public final class ServeJournal {
  private static final String TREE = "XGFT(2;18,18;1,18)";
  private static final double MOST_SECONDS = 10;
  private static final double MIB = 1 << 20;
  private static final int BATCH = 10_000;

  private ServeJournal() {}

  /** Entry point: entries, runs. Exit code 1 if a start takes 10 s or longer. */
  public static void main(String[] args) throws Exception {
    int entries = Integer.parseInt(args[0]);
    int runs = Integer.parseInt(args[1]);
    Path directory = Files.createTempDirectory("heddle-bench-journal");
    try (ServeProcess server = ServeProcess.start(directory, TREE)) {
      change(server, "POST", "/v1/tenants", "{\"name\":\"a\",\"hosts\":6}");
      change(server, "DELETE", "/v1/tenants/a", "");
      server.stop();
    }
    fill(directory.resolve("heddle.db"), entries);
    say("%,d entries of the journal, %,d events: %.0f MiB", entries, entries, size(directory));
    boolean met = true;
    for (int run = 0; run < runs; run++) {
      long began = System.nanoTime();
      try (ServeProcess server = ServeProcess.start(directory, TREE)) {
        double seconds = (System.nanoTime() - began) / 1e9;
        double epoch = server.metric("heddle_epoch");
        change(server, "POST", "/v1/tenants", "{\"name\":\"b" + run + "\",\"hosts\":6}");
        say(
            "start %.2f s (target < %.0f s), epoch %.0f, resident %.0f MiB",
            seconds, MOST_SECONDS, epoch, server.residentBytes() / MIB);
        met &= seconds < MOST_SECONDS && epoch >= entries;
        server.stop();
      }
    }
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
    System.exit(met ? 0 : 1);
  }

  private static void change(ServeProcess server, String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.base() + path))
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() / 100 != 2) {
        throw new IOException(answer.statusCode() + " " + answer.body());
      }
    }
  }

  private static double size(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.mapToLong(f -> f.toFile().length()).sum() / MIB;
    }
  }

  private static void fill(Path database, int entries) throws SQLException {
    try (Connection c = DriverManager.getConnection("jdbc:sqlite:" + database)) {
      c.setAutoCommit(false);
      copy(c, "journal", "epoch", entries);
      copy(c, "event", "id", entries);
      try (Statement s = c.createStatement()) {
        s.executeUpdate("UPDATE fabric SET epoch = " + entries);
      }
      c.commit();
    }
  }

  /** The rows that are there again and again, under the next numbers. */
  private static void copy(Connection c, String table, String number, int most)
      throws SQLException {
    List<Object[]> rows = new ArrayList<>();
    List<String> columns = new ArrayList<>();
    try (Statement s = c.createStatement();
        ResultSet r = s.executeQuery("SELECT * FROM " + table + " ORDER BY " + number)) {
      int count = r.getMetaData().getColumnCount();
      for (int i = 1; i <= count; i++) {
        columns.add(r.getMetaData().getColumnName(i));
      }
      while (r.next()) {
        Object[] row = new Object[count];
        for (int i = 0; i < count; i++) {
          row[i] = r.getObject(i + 1);
        }
        rows.add(row);
      }
    }
    int at = columns.indexOf(number);
    int document = columns.indexOf("document");
    String marks = "?,".repeat(columns.size()).replaceFirst(",$", "");
    String insert =
        "INSERT INTO %s (%s) VALUES (%s)".formatted(table, String.join(",", columns), marks);
    try (PreparedStatement p = c.prepareStatement(insert)) {
      for (int n = rows.size() + 1; n <= most; n++) {
        Object[] row = rows.get((n - 1) % rows.size()).clone();
        long was = ((Number) row[at]).longValue();
        row[at] = (long) n;
        row[document] =
            row[document]
                .toString()
                .replace("\"" + number + "\":" + was + ",", "\"" + number + "\":" + n + ",");
        for (int i = 0; i < row.length; i++) {
          p.setObject(i + 1, row[i]);
        }
        p.addBatch();
        if (n % BATCH == 0) {
          p.executeBatch();
        }
      }
      p.executeBatch();
    }
  }

  private static void say(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
