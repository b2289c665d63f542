// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.trace;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import jopt.boot.record.Recorder;

/**
 * Events as lines of text on standard output, each whole and as it happens. jopt-data writes the same
 * lines of a record.
 */
final class Text {
  /** The parts of the lines for the events of a class. */
  static final class Lines {
    /** The word for the event; null if it has no line. */
    String[] executed = new String[64];

    /** The number in the text of the event that is number 0. */
    int first;

    /** -1 if its numbers are negative. */
    int sign;

    /** Executions are. */
    boolean isShown;

    /** The class, for static methods. */
    String owner;

    /** The operand that is the owner of a field, for those that have one. */
    String[] fieldOwner = new String[64];

    /** The descriptor of the entered or called method, if its arguments are printed. */
    String[] descriptor = new String[64];

    /** The number of its first parameter. */
    int[] parameter = new int[64];
  }

  private final boolean isBlinky;
  private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
  private final StringBuilder line = new StringBuilder();
  private int methods, instructions, flows, executions;
  private int base;

  private Text(boolean isBlinky) {
    this.isBlinky = isBlinky;
  }

  /** What the properties ask for; null for none. */
  static Text asked() {
    String where = System.getProperty("jopt.trace", "");
    if (!where.equals("stdout")) {
      if (!where.isEmpty())
        System.err.println("jopt: jopt.trace: '" + where + "': there is stdout; events are recorded");
      return null;
    }
    String flavour = System.getProperty("jopt.trace.flavour", "seed");
    boolean isBlinky = flavour.equals("blinky");
    if (!isBlinky && !flavour.equals("seed"))
      System.err.println(
          "jopt: jopt.trace.flavour: '" + flavour + "': there are seed and blinky; it is seed");
    return new Text(isBlinky);
  }

  /** Writes the lines that declare a class and its events. */
  synchronized Lines declare(Declarations declared) {
    Lines lines = new Lines();
    lines.owner = declared.name;
    lines.first = instructions + 1;
    declared.accept(new Declarer(declared, lines));
    flush();
    return lines;
  }

  final class Declarer implements Declarations.Visitor {
    private final Declarations declared;
    private final Lines lines;
    private final String owner, letters;
    private final int sign;
    private String method, descriptor;
    private boolean isStatic;
    private int event;

    Declarer(Declarations declared, Lines lines) {
      this.declared = declared;
      this.lines = lines;
      letters = declared.letters();
      sign = declared.option("negative") == null ? 1 : -1;
      lines.sign = sign;
      lines.isShown = sign < 0 || declared.option("stop-app-ins") == null;
      int slash = declared.name.lastIndexOf('/') + 1;
      owner =
          declared.option("sourcename") == null || declared.source.isEmpty()
              ? declared.name
              : declared.name.substring(0, slash) + declared.source;
    }

    @Override
    public void method(String name, String descriptor, int access) {
      method = name + descriptor;
      this.descriptor = descriptor;
      isStatic = (access & 8) != 0;
      line.append("$$method$$,").append(sign * ++methods).append(',').append(method);
      line.append(',').append(owner).append(',').append(access).append('\n');
    }

    @Override
    public void flow(int from, int fromOpcode, int to, int toOpcode, int isExceptional) {
      line.append("$flow$,").append(++flows).append(',').append(declared.name).append('/');
      line.append(method).append(',').append(from).append(',').append(fromOpcode).append(',');
      line.append(to).append(',').append(toOpcode).append(',').append(isExceptional).append('\n');
    }

    @Override
    public void event(Declarations.Kind kind, int at, int bci, String[] operands) {
      // Of calls that have returned, and of handlers.
      boolean hasPlace = kind.opcode >= 0 || kind.opcode == -4 || kind.opcode == -6;
      line.append(kind.type).append(',').append(sign * ++instructions);
      line.append(',').append(sign * methods);
      line.append(',').append(kind.opcode == -1 || hasPlace ? at : -1);
      line.append(',').append(hasPlace && !isBlinky ? bci : -1).append(',').append(kind.opcode);
      for (int i = 0; i < 3; i++) {
        line.append(',');
        if (i < operands.length) line.append(operands[i]);
        else if (i == 2 && isBlinky) line.append("null");
      }
      line.append('\n');
      if (event == lines.executed.length) {
        lines.executed = Arrays.copyOf(lines.executed, 2 * event);
        lines.fieldOwner = Arrays.copyOf(lines.fieldOwner, 2 * event);
        lines.descriptor = Arrays.copyOf(lines.descriptor, 2 * event);
        lines.parameter = Arrays.copyOf(lines.parameter, 2 * event);
      }
      if (kind.type.equals("$enter$")
          && letters.indexOf('E') >= 0
          && (isBlinky || !declared.isAll())) {
        lines.descriptor[event] = descriptor;
        lines.parameter[event] = isStatic ? 0 : 1;
      } else if (kind.type.equals("$invoke$") && letters.indexOf('I') >= 0) {
        lines.descriptor[event] = operands[2];
        lines.parameter[event] = kind.opcode == 184 || kind.opcode == 186 ? 0 : 1;
      }
      if (kind.type.equals("$field$")) lines.fieldOwner[event] = operands[0];
      lines.executed[event++] = executed(kind);
    }

    /** The word for executions of a kind; null if it has no lines. */
    private String executed(Declarations.Kind kind) {
      boolean isSwitch = isBlinky && kind.type.equals("$switch$");
      String log = isSwitch ? "t" : kind.log;
      for (int i = 0; i < log.length(); i++)
        if (letters.indexOf(log.charAt(i)) >= 0) return isSwitch ? "$type$" : kind.executed;
      return log.isEmpty() ? kind.executed : null;
    }
  }

  /** The guard is opened. */
  synchronized void opened() {
    base = Clock.tick();
  }

  /** Writes the line of an event. */
  synchronized void event(Activation a, int event, int object) {
    Lines lines = a.method().type.lines;
    String executed = lines.executed[event];
    if (executed == null || !lines.isShown) return;
    String descriptor = lines.descriptor[event];
    boolean isEnter = executed.equals("$enter$");
    if (descriptor != null && !isEnter) arguments(a, event, "$invokeargtype$");
    begin(a);
    if (a.host != 0) line.append(a.host);
    else line.append(isBlinky ? "C" : lines.owner);
    line.append(',').append(lines.sign * (lines.first + event)).append(',').append(executed);
    if (isBlinky) extras(a.lane.values, executed, object, lines.fieldOwner[event]);
    line.append('\n');
    // Without references among the parameters no event brings their types, so write them now.
    if (descriptor != null && isEnter && Declarations.references(descriptor) == 0)
      arguments(a, event, "$argtype$");
    flush();
  }

  /** Begins the line of an execution. */
  private void begin(Activation a) {
    line.append("$$$,").append(++executions).append(',').append(a.lane.threadId());
    line.append(',').append(Math.max(0, Clock.tick() - base));
    line.append(',').append(a.method().isDeep ? a.depth : -1).append(',');
  }

  /** Writes the lines of the arguments of an activation, which have all come. */
  synchronized void arguments(Activation a, int event) {
    Lines lines = a.method().type.lines;
    if (lines.descriptor[event] == null || !lines.isShown) return;
    arguments(a, event, "$argtype$");
    flush();
  }

  private void arguments(Activation a, int event, String type) {
    Lines lines = a.method().type.lines;
    Lane.Values values = a.lane.values;
    String descriptor = lines.descriptor[event];
    int number = lines.parameter[event], reference = 0;
    for (int at = 1; descriptor.charAt(at) != ')'; ) {
      int end = Declarations.next(descriptor, at);
      String declared = descriptor.substring(at, end), name = declared;
      if (Declarations.isReference(descriptor, at)) {
        if (reference >= values.typeCount) name = "?";
        else if (values.types[reference] != null) name = values.types[reference];
        reference++;
      }
      begin(a);
      line.append(name).append(',').append(number).append(',').append(type).append('\n');
      boolean isWide = declared.equals("J") || declared.equals("D");
      number += isWide && type.equals("$argtype$") ? 2 : 1;
      at = end;
    }
  }

  private void extras(Lane.Values values, String executed, int object, String owner) {
    if (executed.equals("$enter$") || executed.equals("$invoke$")) {
      line.append(",NA");
    } else if (owner != null) {
      line.append(',').append(values.hasValue ? values.value : 0).append(',');
      if (object != 0) line.append(object);
      else line.append(owner);
    } else if (values.hasIndex) {
      line.append(',').append(object).append(',').append(values.index).append(',');
      line.append(values.hasValue ? values.value : 0).append(',').append(values.length);
    }
  }

  private void flush() {
    byte[] bytes = line.toString().getBytes(StandardCharsets.UTF_8);
    line.setLength(0);
    try {
      out.write(bytes);
    } catch (IOException e) {
      Recorder.failed(e);
    }
  }
}
