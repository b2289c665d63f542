//===- benchmarks/overhead/Hand.java - The workloads with calls by hand -===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
package overhead;

/**
 * Plain with the calls that overhead.xml puts there, written as an author
 * would: before the method's work, after it, and where an exception leaves it.
 */
final class Hand implements Work {
  interface Shape {
    double area();
  }

  static final class Square implements Shape {
    final double side;

    Square(double side) { this.side = side; }

    @Override
    public double area() {
      overhead_probe.Probe_0._entry();
      double result;
      try {
        result = side * side;
      } catch (Throwable t) {
        overhead_probe.Probe_0._exit();
        throw t;
      }
      overhead_probe.Probe_0._exit();
      return result;
    }
  }

  static final class Circle implements Shape {
    final double radius;

    Circle(double radius) { this.radius = radius; }

    @Override
    public double area() {
      overhead_probe.Probe_0._entry();
      double result;
      try {
        result = 3 * radius * radius;
      } catch (Throwable t) {
        overhead_probe.Probe_0._exit();
        throw t;
      }
      overhead_probe.Probe_0._exit();
      return result;
    }
  }

  static final class Stop extends RuntimeException {
    Stop() { super(null, null, false, false); }
  }

  static final Stop STOP = new Stop();
  final Shape[] shapes = new Shape[256];
  final String text = "The quick brown fox jumps over the lazy dog. ".repeat(8);

  Hand() {
    for (int i = 0; i < shapes.length; i++)
      shapes[i] = i % 3 == 0 ? new Circle(i) : new Square(i);
  }

  static int fib(int n) {
    overhead_probe.Probe_0._entry();
    int result;
    try {
      result = n < 2 ? n : fib(n - 1) + fib(n - 2);
    } catch (Throwable t) {
      overhead_probe.Probe_0._exit();
      throw t;
    }
    overhead_probe.Probe_0._exit();
    return result;
  }

  static int paths(int a, int b) {
    overhead_probe.Probe_0._entry();
    int result;
    try {
      result = a == 0 || b == 0
                   ? 1
                   : paths(a - 1, b) + paths(a, b - 1) + paths(a - 1, b - 1);
    } catch (Throwable t) {
      overhead_probe.Probe_0._exit();
      throw t;
    }
    overhead_probe.Probe_0._exit();
    return result;
  }

  static long mix(long a, double b, int c) {
    overhead_probe.Probe_0._entry();
    long result;
    try {
      result = a * 31 + (long) b ^ c;
    } catch (Throwable t) {
      overhead_probe.Probe_0._exit();
      throw t;
    }
    overhead_probe.Probe_0._exit();
    return result;
  }

  static int words(String text) {
    overhead_probe.Probe_0._entry();
    int result;
    try {
      int count = 0;
      boolean inside = false;
      for (int i = 0; i < text.length(); i++) {
        boolean letter = Character.isLetter(text.charAt(i));
        if (letter && !inside)
          count++;
        inside = letter;
      }
      result = count;
    } catch (Throwable t) {
      overhead_probe.Probe_0._exit();
      throw t;
    }
    overhead_probe.Probe_0._exit();
    return result;
  }

  static int refuse(int i) {
    overhead_probe.Probe_0._entry();
    int result;
    try {
      if ((i & 15) == 0)
        throw STOP;
      result = i;
    } catch (Throwable t) {
      overhead_probe.Probe_0._exit();
      throw t;
    }
    overhead_probe.Probe_0._exit();
    return result;
  }

  @Override
  public long run(String workload) {
    long sum = 0;
    switch (workload) {
    case "fib":
      return fib(22);
    case "paths":
      return paths(7, 7);
    case "shapes":
      for (Shape s : shapes)
        sum += (long) s.area();
      return sum;
    case "mix":
      for (int i = 0; i < 1000; i++)
        sum = mix(sum, i, i);
      return sum;
    case "words":
      return words(text);
    case "throws":
      for (int i = 0; i < 1000; i++)
        try {
          sum += refuse(i);
        } catch (Stop s) {
          sum--;
        }
      return sum;
    default:
      throw new IllegalArgumentException(workload);
    }
  }
}
