//===- benchmarks/overhead/Plain.java - The workloads without probes -===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
package overhead;

/** Its methods are those of Hand, which has the calls of the probes in it. */
final class Plain implements Work {
  interface Shape {
    double area();
  }

  static final class Square implements Shape {
    final double side;

    Square(double side) { this.side = side; }

    @Override
    public double area() {
      return side * side;
    }
  }

  static final class Circle implements Shape {
    final double radius;

    Circle(double radius) { this.radius = radius; }

    @Override
    public double area() {
      return 3 * radius * radius;
    }
  }

  static final class Stop extends RuntimeException {
    Stop() { super(null, null, false, false); }
  }

  static final Stop STOP = new Stop();
  final Shape[] shapes = new Shape[256];
  final String text = "The quick brown fox jumps over the lazy dog. ".repeat(8);

  Plain() {
    for (int i = 0; i < shapes.length; i++)
      shapes[i] = i % 3 == 0 ? new Circle(i) : new Square(i);
  }

  static int fib(int n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
  }

  static int paths(int a, int b) {
    return a == 0 || b == 0 ? 1
                            : paths(a - 1, b) + paths(a, b - 1) + paths(a - 1, b - 1);
  }

  static long mix(long a, double b, int c) {
    return a * 31 + (long) b ^ c;
  }

  static int words(String text) {
    int count = 0;
    boolean inside = false;
    for (int i = 0; i < text.length(); i++) {
      boolean letter = Character.isLetter(text.charAt(i));
      if (letter && !inside)
        count++;
      inside = letter;
    }
    return count;
  }

  static int refuse(int i) {
    if ((i & 15) == 0)
      throw STOP;
    return i;
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
