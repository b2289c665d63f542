//===- benchmarks/lab/java/program/Getters.java - small methods that are inlined ---===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
package program;

public final class Getters {
  private int x, y;
  private Getters next;

  private Getters(int x, int y, Getters next) {
    this.x = x;
    this.y = y;
    this.next = next;
  }

  int getX() { return x; }

  int getY() { return y; }

  Getters getNext() { return next; }

  void setX(int x) { this.x = x; }

  void setY(int y) { this.y = y; }

  public static long run(String[] args) {
    Getters all = null;
    for (int i = 0; i < 200; ++i)
      all = new Getters(i, -i, all);
    long sum = 0;
    for (int turn = 0; turn < 20000; ++turn)
      for (Getters g = all; g != null; g = g.getNext()) {
        g.setX(g.getX() + turn);
        g.setY(g.getY() ^ g.getX());
        sum += g.getY();
      }
    return sum;
  }
}
