// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.ready;

import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.TreeMap;
import jopt.probes.*;
import jopt.probes.ready.shared.*;

/**
 * Databases: what goes through the interfaces of {@code java.sql}. Drivers and pools call each other
 * and themselves; what the program called is a row, and not what happens in that call. Not every
 * loader of the JDK sees those interfaces, so they are reached by reflection.
 */
public final class Jdbc {
  private Jdbc() {}

  private static final class Statements extends CallTable {
    final StringColumn kind = new StringColumn("Kind");
    final StringColumn sql = new StringColumn("SQL");
    final StringColumn parameters = new StringColumn("Parameters");
    final IntColumn batch = new IntColumn("Batch");
    final LongColumn updated = new LongColumn("Updated");

    Statements() {
      super(connections.getResourceTable(), "Statement", Settings.CALLS);
    }
  }

  private static final class Results extends Table {
    final LongColumn rows = new LongColumn("Rows");

    Results() {
      super(statements, "Result Set", Settings.CALLS);
    }
  }

  /** The record of a statement. Like the statement, it is used by one thread at a time. */
  private static final class Known {
    int connection;
    final String sql;
    TreeMap<Integer, String> parameters;
    List<String> batch;
    int batched;
    int row = Table.NO_ROW;
    Fetch fetch;

    Known(int connection, String sql) {
      this.connection = connection;
      this.sql = sql;
    }
  }

  /** A result set that is open. */
  private static final class Fetch {
    final int row;
    long rows;
    boolean open = true;

    Fetch(int row) {
      this.row = row;
    }

    void close(Throwable thrown) {
      if (!open) return;
      open = false;
      results.rows.setValue(row, rows);
      results.closeRow(row, thrown);
    }
  }

  private static final Getter metaData = new Getter("getMetaData", "java.sql.Connection");
  private static final Getter urlOf = new Getter("getURL", "java.sql.DatabaseMetaData");
  private static final Getter connectionOf = new Getter("getConnection", "java.sql.Statement");

  private static final MasterResourceRegistry<Object> connections =
      new MasterResourceRegistry<Object>(
          new OpenTable<Object>(Jdbc.class, "Connection", "Database")) {
        @Override
        protected String retrieveResourceName(Object connection) {
          return url(urlOf.text(metaData.get(connection)));
        }
      };
  private static final Statements statements = new Statements();
  private static final Results results = new Results();
  private static final WeakKeyMap<Object, Known> known = new WeakKeyMap<>();
  private static final WeakKeyMap<Object, Fetch> fetches = new WeakKeyMap<>();

  private static final Nesting nesting = new Nesting();

  /** Without properties, which may be passwords. */
  private static String url(String url) {
    if (Settings.VALUES || url == null) return url;
    int end = url.length();
    for (char c : new char[] {';', '?'}) {
      int at = url.indexOf(c);
      if (at >= 0 && at < end) end = at;
    }
    int at = url.lastIndexOf('@', end - 1); // user:password@
    int start = url.indexOf("//");
    if (start >= 0 && at > start) return url.substring(0, start + 2) + url.substring(at + 1, end);
    return url.substring(0, end);
  }

  /** The text with {@code ?} in place of its literals. */
  private static String mask(String sql) {
    if (Settings.VALUES || sql == null) return sql;
    StringBuilder to = null;
    int n = sql.length();
    int copied = 0;
    for (int i = 0; i < n; ) {
      char c = sql.charAt(i);
      int end = i;
      if (c == '\'') {
        end = literalEnd(sql, i + 1);
      } else if (c >= '0' && c <= '9') {
        end = i + 1;
        while (end < n && (Character.isLetterOrDigit(sql.charAt(end)) || sql.charAt(end) == '.')) ++end;
      } else if (c == '"') { // a name
        int close = sql.indexOf('"', i + 1);
        i = close < 0 ? n : close + 1;
        continue;
      } else if (Character.isJavaIdentifierStart(c)) {
        while (i < n && Character.isJavaIdentifierPart(sql.charAt(i))) ++i;
        continue;
      }
      if (end == i) {
        ++i;
        continue;
      }
      if (to == null) to = new StringBuilder(n);
      to.append(sql, copied, i).append('?');
      i = copied = end;
    }
    return to == null ? sql : to.append(sql, copied, n).toString();
  }

  /** What a failure of {@code sql} tells, which drivers repeat. */
  private static Throwable told(Throwable thrown, String sql) {
    if (Settings.VALUES || thrown == null || sql == null) return Failures.told(thrown);
    List<String> given = new ArrayList<>();
    given.add(sql);
    given.add(mask(sql));
    // Some repeat it with a mark where it is wrong, or in parts.
    for (int i = sql.indexOf('\''); i >= 0; ) {
      int end = literalEnd(sql, i + 1);
      given.add(sql.substring(i, end));
      given.add("?");
      i = sql.indexOf('\'', end);
    }
    return Failures.told(thrown, given.toArray(new String[0]));
  }

  /** Behind the quote that ends what begins at {@code i}; two quotes are one in it. */
  private static int literalEnd(String sql, int i) {
    for (int n = sql.length(); i < n; ++i) {
      if (sql.charAt(i) != '\'') continue;
      if (i + 1 == n || sql.charAt(i + 1) != '\'') return i + 1;
      ++i;
    }
    return i;
  }

  /** The record of the statement of a call; a statement from before the probes gets one here. */
  private static Known of(Object statement) {
    Known k = known.get(statement);
    if (k == null) known.put(statement, k = new Known(Table.NO_ROW, null));
    if (Table.shouldIgnoreRow(k.connection)) {
      // Of one that is closed there is none.
      k.connection = connections.getOrCreate(connectionOf.get(statement));
    }
    return k;
  }

  private static void setParameter(Object statement, int index, String value) {
    Known k = known.get(statement);
    if (k == null) return;
    if (k.parameters == null) k.parameters = new TreeMap<>();
    k.parameters.put(index, value);
  }

  private static String parametersOf(Known k) {
    if (k.batch != null) return String.join(" ", k.batch);
    return k.parameters == null ? null : k.parameters.toString();
  }

  private static long updatedBy(Object result) {
    if (result instanceof Number) return ((Number) result).longValue();
    long sum = 0;
    if (result instanceof int[]) {
      for (int n : (int[]) result) sum += Math.max(n, 0);
      return sum;
    }
    if (result instanceof long[]) {
      for (long n : (long[]) result) sum += Math.max(n, 0);
      return sum;
    }
    return -1;
  }

  private static void fetch(Known k, Object resultSet) {
    if (k == null || resultSet == null || fetches.get(resultSet) != null) return;
    if (k.fetch != null) k.fetch.close(null);
    k.fetch = new Fetch(results.createRow(k.row));
    fetches.put(resultSet, k.fetch);
  }

  /** Connections that are opened. */
  @MethodPattern({"*:connect(String, java.util.Properties)"})
  @InstanceOf("java.sql.Driver")
  public static final class Connect {
    public static long onEnter() {
      return nesting.enter() ? connections.openOnEnter() : -1;
    }

    public static void onExit(
        @Param(1) String url,
        @Param(2) Properties properties,
        @OnEnterResult long since,
        @ReturnValue Object connection,
        @ThrownException Throwable thrown) {
      nesting.leave();
      // A driver that is not the one for the URL returns null.
      if (since >= 0) {
        Throwable told =
            thrown == null
                ? null
                : Failures.told(thrown, Failures.secrets(properties, url, url(url)));
        connections.openOnExit(since, url(url), connection, told, FailedEventPolicy.RECORD);
      }
    }
  }

  /** Connections that a pool or another source gives. */
  @MethodPattern({"*:getConnection()", "*:getConnection(String, String)"})
  @InstanceOf("javax.sql.DataSource")
  public static final class Source {
    public static long onEnter() {
      return nesting.enter() ? connections.openOnEnter() : -1;
    }

    public static void onExit(
        @Param(2) String password,
        @OnEnterResult long since,
        @ReturnValue Object connection,
        @ThrownException Throwable thrown) {
      if (since >= 0) {
        Throwable told = Failures.told(thrown, password, "...");
        connections.openOnExit(since, null, connection, told, FailedEventPolicy.RECORD);
      }
      nesting.leave();
    }
  }

  /** Connections that are closed. */
  @MethodPattern("*:close()")
  @InstanceOf("java.sql.Connection")
  public static final class Disconnect {
    public static int onEnter(@This Object connection) {
      return nesting.enter() ? connections.closeOnEnter(connection) : Table.NO_ROW;
    }

    public static void onExit(@OnEnterResult int row, @ThrownException Throwable thrown) {
      nesting.leave();
      connections.closeOnExit(row, Failures.told(thrown));
    }
  }

  /** Statements that come into being. */
  @MethodPattern({
    "*:createStatement(*)", "*:prepareStatement(String, *)", "*:prepareCall(String, *)"
  })
  @InstanceOf("java.sql.Connection")
  public static final class Create {
    public static int onEnter(
        @This Object connection, @MethodName String method, @Param(1) String sql) {
      boolean outermost = nesting.enter();
      if (!outermost || method.equals("createStatement")) return Table.NO_ROW;
      int row = statements.createRow(connections.getOrCreate(connection));
      statements.kind.setValue(row, "prepare");
      statements.sql.setValue(row, mask(sql));
      return row;
    }

    public static void onExit(
        @This Object connection,
        @Param(1) String sql,
        @OnEnterResult int row,
        @ReturnValue Object statement,
        @ThrownException Throwable thrown) {
      nesting.leave();
      statements.closeRow(row, told(thrown, sql));
      if (statement != null) {
        known.put(statement, new Known(connections.get(connection), mask(sql)));
      }
    }
  }

  /** Values of parameters. */
  @MethodPattern({
    "*:setArray(int, *)", "*:setAsciiStream(int, *)", "*:setBigDecimal(int, *)",
    "*:setBinaryStream(int, *)", "*:setBlob(int, *)", "*:setBoolean(int, *)", "*:setByte(int, *)",
    "*:setBytes(int, *)", "*:setCharacterStream(int, *)", "*:setClob(int, *)", "*:setDate(int, *)",
    "*:setDouble(int, *)", "*:setFloat(int, *)", "*:setInt(int, *)", "*:setLong(int, *)",
    "*:setNCharacterStream(int, *)", "*:setNClob(int, *)", "*:setNString(int, *)",
    "*:setObject(int, *)", "*:setRef(int, *)", "*:setRowId(int, *)", "*:setSQLXML(int, *)",
    "*:setShort(int, *)", "*:setString(int, *)", "*:setTime(int, *)", "*:setTimestamp(int, *)",
    "*:setURL(int, *)"
  })
  @InstanceOf("java.sql.PreparedStatement")
  public static final class Parameter {
    public static void onEnter(
        @This Object statement, @Param(1) int index, @Param(2) Object value) {
      if (Settings.VALUES) setParameter(statement, index, String.valueOf(value));
    }
  }

  /** Parameters that are null. */
  @MethodPattern("*:setNull(int, *)")
  @InstanceOf("java.sql.PreparedStatement")
  public static final class NoValue {
    public static void onEnter(@This Object statement, @Param(1) int index) {
      if (Settings.VALUES) setParameter(statement, index, "null");
    }
  }

  /** Parameters that the program takes back; a driver may do so on its way. */
  @MethodPattern("*:clearParameters()")
  @InstanceOf("java.sql.PreparedStatement")
  public static final class Clear {
    public static void onEnter(@This Object statement) {
      if (!nesting.enter() || !Settings.VALUES) return;
      Known k = known.get(statement);
      if (k != null) k.parameters = null;
    }

    public static void onExit() {
      nesting.leave();
    }
  }

  /** Statements that are collected and executed as one batch. */
  @MethodPattern({"*:addBatch()", "*:addBatch(String)", "*:clearBatch()"})
  @InstanceOf("java.sql.Statement")
  public static final class Batch {
    public static boolean onEnter() {
      return nesting.enter();
    }

    public static void onExit(
        @This Object statement,
        @MethodName String method,
        @Param(1) String sql,
        @OnEnterResult boolean outermost,
        @ThrownException Throwable thrown) {
      nesting.leave();
      if (!outermost || thrown != null) return;
      Known k = of(statement);
      if (method.equals("clearBatch")) {
        k.batched = 0;
        k.batch = null;
        return;
      }
      ++k.batched;
      if (sql == null && k.parameters == null) return;
      if (k.batch == null) k.batch = new ArrayList<>();
      // What a statement without parameters collects is all there is of its SQL.
      k.batch.add(sql != null ? mask(sql) + ";" : k.parameters.toString());
    }
  }

  /** Statements that are executed. */
  @MethodPattern({
    "*:execute(*)", "*:executeQuery(*)", "*:executeUpdate(*)", "*:executeLargeUpdate(*)",
    "*:executeBatch()", "*:executeLargeBatch()"
  })
  @InstanceOf("java.sql.Statement")
  public static final class Execute {
    /** The record of the statement; null for calls from drivers and pools. */
    public static Object onEnter(
        @This Object statement, @MethodName String method, @Param(1) String sql) {
      if (!nesting.enter()) return null;
      Known k = of(statement);
      if (k.fetch != null) k.fetch.close(null); // as JDBC says
      int row = statements.createRow(k.connection);
      k.row = row;
      if (Table.shouldIgnoreRow(row)) return k;
      boolean batch = method.endsWith("Batch");
      statements.kind.setValue(
          row,
          batch
              ? "batch"
              : method.equals("executeQuery")
                  ? "query"
                  : method.equals("execute") ? "execute" : "update");
      if (batch && k.sql == null) {
        statements.sql.setValue(row, k.batch == null ? null : String.join(" ", k.batch));
      } else {
        statements.sql.setValue(row, sql != null ? mask(sql) : k.sql);
        if (Settings.VALUES && sql == null) statements.parameters.setValue(row, parametersOf(k));
      }
      if (batch) {
        statements.batch.setValue(row, k.batched);
        k.batched = 0;
        k.batch = null;
      }
      return k;
    }

    public static void onExit(
        @Param(1) String sql,
        @OnEnterResult Object entered,
        @ReturnValue Object result,
        @ThrownException Throwable thrown) {
      nesting.leave();
      if (entered == null) return;
      Known k = (Known) entered;
      statements.closeRow(k.row, told(thrown, sql));
      if (thrown != null || result instanceof Boolean) return;
      long updated = updatedBy(result);
      if (updated >= 0) statements.updated.setValue(k.row, updated);
      else if (!(result instanceof Number)) fetch(k, result);
    }
  }

  /** Result sets of {@code execute}. */
  @MethodPattern("*:getResultSet()")
  @InstanceOf("java.sql.Statement")
  public static final class Result {
    public static boolean onEnter() {
      return nesting.enter();
    }

    public static void onExit(
        @This Object statement, @OnEnterResult boolean outermost, @ReturnValue Object result) {
      nesting.leave();
      if (outermost) fetch(known.get(statement), result);
    }
  }

  /** Statements that are closed, and with them their result sets. */
  @MethodPattern("*:close()")
  @InstanceOf("java.sql.Statement")
  public static final class CloseStatement {
    public static boolean onEnter() {
      return nesting.enter();
    }

    public static void onExit(@This Object statement, @OnEnterResult boolean outermost) {
      nesting.leave();
      if (!outermost) return;
      Known k = known.remove(statement);
      if (k != null && k.fetch != null) k.fetch.close(null);
    }
  }

  /** Rows that are fetched. */
  @MethodPattern("*:next()")
  @InstanceOf("java.sql.ResultSet")
  public static final class Next {
    public static void onReturn(@This Object resultSet, @ReturnValue boolean more) {
      if (!more) return;
      Fetch f = fetches.get(resultSet);
      if (f != null) ++f.rows;
    }
  }

  /** Result sets that are closed. */
  @MethodPattern("*:close()")
  @InstanceOf("java.sql.ResultSet")
  public static final class CloseResult {
    public static void onExit(@This Object resultSet, @ThrownException Throwable thrown) {
      Fetch f = fetches.remove(resultSet);
      if (f != null) f.close(Failures.told(thrown));
    }
  }

  /** What a driver may end a transaction for; the program has not asked for that. */
  @MethodPattern({"*:setAutoCommit(boolean)", "*:setTransactionIsolation(int)"})
  @InstanceOf("java.sql.Connection")
  public static final class Mode {
    public static void onEnter() {
      nesting.enter();
    }

    public static void onExit() {
      nesting.leave();
    }
  }

  /** Transactions that end. */
  @MethodPattern({"*:commit()", "*:rollback(*)"})
  @InstanceOf("java.sql.Connection")
  public static final class Transaction {
    public static int onEnter(@This Object connection, @MethodName String method) {
      if (!nesting.enter()) return Table.NO_ROW;
      int row = statements.createRow(connections.getOrCreate(connection));
      statements.kind.setValue(row, method);
      return row;
    }

    public static void onExit(@OnEnterResult int row, @ThrownException Throwable thrown) {
      nesting.leave();
      statements.closeRow(row, Failures.told(thrown));
    }
  }
}
