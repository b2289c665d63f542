// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import java.lang.management.ManagementFactory;
import java.sql.*;
import java.util.Random;
import java.util.function.IntToDoubleFunction;

/**
 * What databases are measured by: a transaction changes an account, a teller and a branch, reads
 * the balance and adds a line to the history; now and then a query of many rows.
 *
 * `Bank URL TRANSACTIONS` prints the seconds of the processor that this thread takes for the
 * second half of the transactions.
 */
public class Bank implements IntToDoubleFunction {
  static final int BRANCHES = 10, TELLERS = 100, ACCOUNTS = 10000;

  private final Random random = new Random(1);
  private final Connection connection;
  private final PreparedStatement account, balance, teller, branch, history, many;
  private int done;
  long sum;

  static long now() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  public Bank(String url) throws SQLException {
    Connection c = connection = DriverManager.getConnection(url, "sa", "");
    c.setAutoCommit(false);
    fill("BRANCHES", BRANCHES);
    fill("TELLERS", TELLERS);
    fill("ACCOUNTS", ACCOUNTS);
    try (Statement s = c.createStatement()) {
      s.execute("CREATE TABLE HISTORY(ID INT, TELLER INT, BRANCH INT, ACCOUNT INT, AMOUNT INT, FILLER VARCHAR(22))");
      s.execute("CREATE INDEX BY_BRANCH ON ACCOUNTS(BRANCH)");
    }
    account = c.prepareStatement("UPDATE ACCOUNTS SET BALANCE=BALANCE+? WHERE ID=?");
    balance = c.prepareStatement("SELECT BALANCE FROM ACCOUNTS WHERE ID=?");
    teller = c.prepareStatement("UPDATE TELLERS SET BALANCE=BALANCE+? WHERE ID=?");
    branch = c.prepareStatement("UPDATE BRANCHES SET BALANCE=BALANCE+? WHERE ID=?");
    history = c.prepareStatement("INSERT INTO HISTORY VALUES(?, ?, ?, ?, ?, 'a line')");
    many = c.prepareStatement("SELECT ID, BALANCE, FILLER FROM ACCOUNTS WHERE BRANCH=? AND ID<1000 ORDER BY ID");
  }

  private void fill(String table, int rows) throws SQLException {
    try (Statement s = connection.createStatement()) {
      s.execute("CREATE TABLE " + table + "(ID INT PRIMARY KEY, BRANCH INT, BALANCE INT, FILLER VARCHAR(84))");
    }
    try (PreparedStatement p = connection.prepareStatement("INSERT INTO " + table + " VALUES(?, ?, 0, ?)")) {
      for (int i = 0; i < rows; i++) {
        p.setInt(1, i);
        p.setInt(2, i % BRANCHES);
        p.setString(3, "0123456789012345678901234567890123456789");
        p.addBatch();
        if (i % 1000 == 999 || i == rows - 1) p.executeBatch();
      }
    }
    connection.commit();
  }

  private void transaction() throws SQLException {
    int i = done++, a = random.nextInt(ACCOUNTS), t = random.nextInt(TELLERS), b = t % BRANCHES;
    int amount = random.nextInt(1000);
    account.setInt(1, amount);
    account.setInt(2, a);
    account.executeUpdate();
    balance.setInt(1, a);
    try (ResultSet r = balance.executeQuery()) {
      while (r.next()) sum += r.getInt(1);
    }
    teller.setInt(1, amount);
    teller.setInt(2, t);
    teller.executeUpdate();
    branch.setInt(1, amount);
    branch.setInt(2, b);
    branch.executeUpdate();
    history.setInt(1, i);
    history.setInt(2, t);
    history.setInt(3, b);
    history.setInt(4, a);
    history.setInt(5, amount);
    history.executeUpdate();
    connection.commit();
    if (i % 10 == 0) {
      many.setInt(1, b);
      try (ResultSet r = many.executeQuery()) {
        while (r.next()) sum += r.getInt(2) + r.getString(3).length();
      }
    }
  }

  /** The seconds of the processor that this thread takes for so many transactions. */
  @Override
  public double applyAsDouble(int transactions) {
    long start = now();
    try {
      for (int i = 0; i < transactions; i++) transaction();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return (now() - start) / 1e9;
  }

  public static void main(String[] args) throws Exception {
    int transactions = Integer.parseInt(args[1]);
    Bank bank = new Bank(args[0]);
    bank.applyAsDouble(transactions / 2);
    System.out.println(bank.applyAsDouble(transactions / 2) + " " + (bank.sum & 1));
  }
}
