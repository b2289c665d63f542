//===- benchmarks/lab/java/program/H2.java - a database in memory ----------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
package program;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** program.H2 ROWS: puts rows into a table and sorts and groups them. */
public final class H2 {
  private H2() {}

  public static long run(String[] args) throws SQLException {
    int rows = Integer.parseInt(args[0]);
    long sum = 0;
    try (Connection all = DriverManager.getConnection("jdbc:h2:mem:");
         Statement said = all.createStatement()) {
      said.execute("create table t(id int primary key, name varchar(40), n int)");
      try (PreparedStatement put = all.prepareStatement("insert into t values(?, ?, ?)")) {
        for (int i = 0; i < rows; ++i) {
          put.setInt(1, i);
          put.setString(2, "name" + i * 7919 % rows);
          put.setInt(3, i % 17);
          put.execute();
        }
      }
      try (ResultSet found = said.executeQuery("select id from t order by name desc, n")) {
        while (found.next())
          sum = sum * 31 + found.getInt(1);
      }
      try (ResultSet found = said.executeQuery(
               "select n, count(*), max(name) from t where id > 10 group by n having max(id) > 5")) {
        while (found.next())
          sum = sum * 31 + found.getInt(2);
      }
    }
    return sum;
  }
}
