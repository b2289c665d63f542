// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.trace;

/** Reads the text in which a traced class says what its events are; docs/DataFormat.md has it. */
final class Declarations {
  /** What events of one opcode have in common. */
  static final class Kind {
    final String type, executed, operands, log;
    final int opcode;

    Kind(String type, String executed, int opcode, String operands, String log) {
      this.type = type;
      this.executed = executed;
      this.opcode = opcode;
      this.operands = operands;
      this.log = log;
    }

    boolean isExit() {
      return executed.equals("$exit$");
    }
  }

  /** Is told what there is, in order. */
  interface Visitor {
    /** {@code operands}: none or texts, as many as there are. */
    void event(Kind kind, int line, int bci, String[] operands);

    /** Comes before its events. */
    void method(String name, String descriptor, int access);

    /** An edge of control flow of the method. */
    void flow(int from, int fromOpcode, int to, int toOpcode, int isExceptional);
  }

  static final char FORMAT = '1';
  private static final String[] NONE = {};

  private final String text;
  private int at;

  final String options, id, name, source;
  final int access;
  private String[] strings;
  private Kind[] kinds;

  /** Reads no more than what is here: each method that is linked has its class known again. */
  Declarations(String text) {
    this.text = text;
    if (text.charAt(at++) != FORMAT) throw new IllegalArgumentException("of another release");
    options = text();
    id = text();
    name = text();
    source = text();
    access = number();
  }

  private void tables() {
    strings = new String[number()];
    for (int i = 0; i < strings.length; i++) strings[i] = text();
    kinds = new Kind[number()];
    for (int i = 0; i < kinds.length; i++) {
      String type = string(), executed = string();
      int opcode = signed();
      String operands = string();
      string(); // under which letters it is declared: what is not, is not here
      kinds[i] = new Kind(type, executed, opcode, operands, string());
    }
  }

  private int number() {
    int n = 0;
    for (int shift = 0; ; shift += 6) {
      char c = text.charAt(at++);
      if (c < 64) return n | c - 1 << shift;
      n |= (c & 63) << shift;
    }
  }

  private int signed() {
    int n = number();
    return n >>> 1 ^ -(n & 1);
  }

  private String text() {
    int length = number();
    at += length;
    return text.substring(at - length, at);
  }

  private String string() {
    return strings[number()];
  }

  /** All letters are asked for. */
  boolean isAll() {
    return options.equals("A") || options.startsWith("A,");
  }

  /** The letters that are asked for. */
  String letters() {
    int comma = options.indexOf(',');
    return isAll() ? "exlivzjfctsE" : comma < 0 ? options : options.substring(0, comma);
  }

  /** The value of an option; empty if it has none, null if it is not there. */
  String option(String name) {
    return option(options, name);
  }

  /** The same of {@code options}. */
  static String option(String options, String name) {
    for (String part : options.split(",")) {
      if (part.equals(name)) return "";
      if (part.startsWith(name) && part.charAt(name.length()) == '=')
        return part.substring(name.length() + 1);
    }
    return null;
  }

  /** How many parameters of a method are references. */
  static int references(String descriptor) {
    int n = 0;
    for (int at = 1; descriptor.charAt(at) != ')'; at = next(descriptor, at))
      if (isReference(descriptor, at)) n++;
    return n;
  }

  /** The parameter that begins at {@code at} is one. */
  static boolean isReference(String descriptor, int at) {
    return descriptor.charAt(at) == 'L' || descriptor.charAt(at) == '[';
  }

  /** Behind the parameter that begins at {@code at}. */
  static int next(String descriptor, int at) {
    while (descriptor.charAt(at) == '[') at++;
    return descriptor.charAt(at) == 'L' ? descriptor.indexOf(';', at) + 1 : at + 1;
  }

  /** The methods; to be called once. */
  void accept(Visitor visitor) {
    tables();
    boolean hasFlows = option("control") != null, hasPaths = option("reconstruct") != null;
    for (int methods = number(); methods > 0; methods--) {
      visitor.method(string(), string(), number());
      int events = number() - 1;
      if (events < 0) continue;
      int line = 0, bci = 0;
      while (events > 0) {
        int k = number();
        if (k == 0) {
          line += signed();
          continue;
        }
        Kind kind = kinds[k - 1];
        bci += signed();
        int n = kind.operands.length();
        String[] operands = n == 0 ? NONE : new String[n];
        for (int i = 0; i < n; i++)
          operands[i] = kind.operands.charAt(i) == 's' ? string() : String.valueOf(signed());
        visitor.event(kind, line - 1, bci, operands);
        events--;
      }
      for (int flows = hasFlows ? number() : 0; flows > 0; flows--)
        visitor.flow(number() - 1, signed(), number() - 1, signed(), number());
      for (int segments = hasPaths ? number() : 0; segments > 0; segments--) {
        number();
        number();
        for (int next = number(); next > 0; next--) number();
      }
    }
  }
}
