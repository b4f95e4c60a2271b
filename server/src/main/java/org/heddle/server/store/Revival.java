package org.heddle.server.store;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.heddle.control.model.Credential;
import org.heddle.control.port.StoreException;

/**
 * What comes back when a copy takes the place of a database: secrets that had been revoked or
 * replaced since count again, and the fabric gets the tenants that there were then.
 *
 * @param compared false if there is no database to compare with, or it cannot be read: then
 *     everything in the copy comes back
 * @param credentials that count, and do not in the database
 * @param passwords users who have another password in the database
 * @param tenants that are not in the database
 * @param gone tenants of the database that are not in the copy
 */
public record Revival(
    boolean compared,
    List<Revived> credentials,
    List<String> passwords,
    List<String> tenants,
    List<String> gone) {
  /**
   * A credential.
   *
   * @param kind token or user
   */
  public record Revived(String name, String kind, String role) {}

  private record Content(Map<String, Credential> credentials, TreeSet<String> tenants) {}

  /**
   * Compares a copy with the database whose place it is to take. O(size).
   *
   * @throws StoreException if the copy cannot be read
   */
  public static Revival of(Path copy, Path database, Instant now) {
    Content then = read(copy);
    Content current = new Content(Map.of(), new TreeSet<>());
    boolean compared = Files.isRegularFile(database);
    try {
      current = compared ? read(database) : current;
    } catch (StoreException | IllegalStateException _) {
      compared = false; // it is damaged, which may be why it is replaced
    }
    List<Revived> credentials = new ArrayList<>();
    List<String> passwords = new ArrayList<>();
    for (Credential c : then.credentials.values()) {
      Credential is = current.credentials.get(c.name());
      boolean user = c.kind().equals("password");
      if (!c.counts(now) || is != null && is.equals(c)) {
        continue;
      }
      boolean there = is != null && is.counts(now) && is.kind().equals(c.kind());
      if (there && user) {
        if (!is.hash().equals(c.hash())) {
          passwords.add(c.name());
        }
      } else if (!there || !is.hash().equals(c.hash())) {
        credentials.add(
            new Revived(
                c.name(), user ? "user" : "token", c.role().name().toLowerCase(Locale.ROOT)));
      }
    }
    TreeSet<String> back = new TreeSet<>(then.tenants);
    back.removeAll(current.tenants);
    TreeSet<String> gone = new TreeSet<>(current.tenants);
    gone.removeAll(then.tenants);
    return new Revival(
        compared,
        credentials,
        passwords,
        List.copyOf(back),
        compared ? List.copyOf(gone) : List.of());
  }

  private static Content read(Path file) {
    Map<String, Credential> credentials = new TreeMap<>();
    TreeSet<String> tenants = new TreeSet<>();
    String url = "jdbc:sqlite:file:" + file.toUri().getRawPath() + "?mode=ro";
    try (Connection c = DriverManager.getConnection(url);
        Statement s = c.createStatement()) {
      try (ResultSet r = s.executeQuery("SELECT * FROM credential")) {
        boolean formats = r.getMetaData().getColumnCount() > 2; // since schema 6
        while (r.next()) {
          int format = formats ? r.getInt("format") : 1;
          Credential one =
              StoredDocument.read(StoredCredential.class, format, r.getString("document"));
          credentials.put(one.name(), one);
        }
      }
      try (ResultSet r = s.executeQuery("SELECT name FROM tenant")) {
        while (r.next()) {
          tenants.add(r.getString(1));
        }
      }
    } catch (SQLException e) {
      throw new StoreException("cannot read " + file + ": " + e.getMessage(), e, false);
    }
    return new Content(credentials, tenants);
  }
}
