// A program to try the probes of this folder on:
//   javac -d demo Demo.java
//   jopt -probes=trace.xml demo -o traced
//   java -cp traced Demo 4
public class Demo {
  static int fib(int n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
  }

  static String greet(String name, boolean loud) {
    return loud ? "HELLO " + name.toUpperCase() : "hello " + name;
  }

  static int parse(String text) {
    return Integer.parseInt(text);
  }

  static int parseOr(String text, int other) {
    try {
      return parse(text);
    } catch (NumberFormatException e) {
      return other;
    }
  }

  public static void main(String[] args) {
    int n = parseOr(args.length > 0 ? args[0] : "none", 3);
    System.out.println(greet("world", n > 3));
    System.out.println("fib(" + n + ") = " + fib(n));
  }
}
