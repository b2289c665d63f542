import java.sql.*;
import java.util.*;

/** Uses a database in several threads, and prints each statement as the probes are to record it: kind, SQL, parameters. */
public class Bank {
  static final List<String> log = Collections.synchronizedList(new ArrayList<>());

  static void log(String kind, String sql, String parameters, Object updated, boolean failed) {
    log.add(kind + "|" + sql + "|" + parameters + "|" + (updated == null ? "" : updated) + "|" + (failed ? "failed" : ""));
  }

  static Connection open(String url) throws SQLException { return DriverManager.getConnection(url, "sa", ""); }

  static void work(String url, int thread, int rounds) throws SQLException {
    String table = "account" + thread; // or they would wait for one another
    try (Connection c = open(url)) {
      c.setAutoCommit(false);
      String insert = "INSERT INTO " + table + " VALUES(?, ?, ?)";
      try (PreparedStatement p = c.prepareStatement(insert)) {
        log("prepare", insert, "", null, false);
        for (int i = 0; i < rounds; i++) {
          int id = thread * 10000 + i;
          p.setInt(1, id);
          p.setString(2, "name" + id);
          p.setNull(3, Types.INTEGER);
          log("update", insert, "{1=" + id + ", 2=name" + id + ", 3=null}", p.executeUpdate(), false);
        }
      }
      String change = "UPDATE " + table + " SET amount=? WHERE id=?";
      try (PreparedStatement p = c.prepareStatement(change)) {
        log("prepare", change, "", null, false);
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < 3; i++) {
          p.setLong(1, 7);
          p.setInt(2, thread * 10000 + i);
          p.addBatch();
          all.append(i == 0 ? "" : " ").append("{1=7, 2=" + (thread * 10000 + i) + "}");
        }
        int[] n = p.executeBatch();
        log("batch", change, all.toString(), Arrays.stream(n).sum(), false);
      }
      try (Statement s = c.createStatement()) {
        String query = "SELECT id FROM " + table + " WHERE id>=" + thread * 10000 + " AND id<" + (thread * 10000 + 5);
        try (ResultSet r = s.executeQuery(query)) {
          int rows = 0;
          while (r.next()) rows++;
          log.add("rows|" + rows);
        }
        log("query", query, "", null, false);
        String text = "DELETE FROM " + table + " WHERE name='it''s' OR id=" + thread * 10000;
        s.execute(text);
        log("execute", text, "", null, false);
        String one = "DELETE FROM " + table + " WHERE id=1", two = "DELETE FROM " + table + " WHERE id=2";
        s.addBatch(one);
        s.addBatch(two);
        int[] n = s.executeBatch();
        log("batch", one + "; " + two + ";", "", Arrays.stream(n).sum(), false);
        String wrong = "SELECT nothing FROM nowhere";
        try {
          s.executeQuery(wrong);
        } catch (SQLException e) {
          log("query", wrong, "", null, true);
        }
      }
      c.commit();
      log("commit", "", "", null, false);
    }
  }

  public static void main(String[] args) throws Exception {
    String url = args[0];
    int threads = Integer.parseInt(args[1]), rounds = Integer.parseInt(args[2]);
    try (Connection c = open(url); Statement s = c.createStatement()) {
      List<Thread> all = new ArrayList<>();
      for (int t = 1; t <= threads; t++) {
        int thread = t;
        String create = "CREATE TABLE account" + t + "(id INT PRIMARY KEY, name VARCHAR(40), amount BIGINT)";
        log("update", create, "", s.executeUpdate(create), false);
        all.add(new Thread(() -> {
          try {
            work(url, thread, rounds);
          } catch (SQLException e) {
            log.add("unexpected " + e);
          }
        }));
      }
      for (Thread t : all) t.start();
      for (Thread t : all) t.join();
    }
    Collections.sort(log);
    for (String line : log) System.out.println(line);
  }
}
