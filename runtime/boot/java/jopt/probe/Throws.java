// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What {@code jopt throws TYPE} prints: the first exception of each type and place when it is made, with the variables
 * of all frames up to the one that catches it, and how many came after it. For any number of threads.
 */
public final class Throws {
  /** The number of kinds that are counted each; all further ones count as one kind. */
  private static final int MOST = 1000;

  /** A frame of the program, and the variables in it. */
  static final class Frame {
    final Class<?> type;
    final StackTraceElement place;
    final List<Variable> variables = new ArrayList<>();
    /** A handler of it takes the exception. */
    boolean catches;

    Frame(Class<?> type, StackTraceElement place) {
      this.type = type;
      this.place = place;
    }
  }

  static final class Variable {
    final String name, descriptor;
    final Object value;
    /** Compiled code keeps no variable that nothing reads any more. */
    final boolean isKept;

    Variable(String name, String descriptor, Object value, boolean isKept) {
      this.name = name;
      this.descriptor = descriptor;
      this.value = value;
      this.isKept = isKept;
    }
  }

  /** Reads the frames of this thread. */
  abstract static class Reader {
    /** From where the exception was made on, no more than so many. */
    abstract List<Frame> frames(Throwable thrown, int most, boolean withVariables);
  }

  private static Reader live;

  private final Map<String, LongAdder> seen = new ConcurrentHashMap<>();
  private final boolean withVariables;
  private final int most, depth;
  private final Reader reader;
  private String why;

  /**
   * All that is thrown.
   *
   * @param frames no more than so many
   * @param withVariables with those of each frame
   * @param depth how deep objects are shown
   */
  public Throws(int frames, boolean withVariables, int depth) {
    most = frames;
    this.withVariables = withVariables;
    this.depth = depth;
    reader = reader();
  }

  /** One for all, as a JVM before 18 makes a class for a constructor that is called often by reflection. */
  private Reader reader() {
    synchronized (Throws.class) {
      try {
        if (live == null) live = (Reader) Class.forName("jopt.probe.LiveFrames").getDeclaredConstructor().newInstance();
      } catch (ReflectiveOperationException | LinkageError e) {
        // Before Java 9, and where the agent is not there to open java.lang.
        why = String.valueOf(e.getCause() == null ? e : e.getCause());
      }
      return live;
    }
  }

  /**
   * Makes an event for nobody: what the first one takes is then no time of the program.
   *
   * @param asJson as {@link #print} is to print
   */
  public void begin(boolean asJson) {
    Event.rehearse(asJson);
    if (reader != null) reader.frames(new Exception(), 2, withVariables);
  }

  /**
   * Is it the first of its type from that place?
   *
   * @param thrown that is just being made
   * @return false: it is counted
   */
  public boolean isFirst(Throwable thrown) {
    String key = thrown.getClass().getName() + " at " + place(thrown);
    LongAdder count = seen.get(key);
    if (count == null && seen.size() >= MOST) key = "further ones";
    LongAdder[] made = {null};
    seen.computeIfAbsent(key, k -> made[0] = new LongAdder());
    if (made[0] != null) return true;
    seen.get(key).increment();
    return false;
  }

  private static StackTraceElement place(Throwable thrown) {
    for (StackTraceElement f : Stacks.trace(8)) if (!isMaker(f.getMethodName(), f.getClassName(), thrown)) return f;
    return null;
  }

  /** A constructor of the exception. */
  static boolean isMaker(String method, String type, Throwable thrown) {
    if (!method.equals("<init>")) return false;
    for (Class<?> c = thrown.getClass(); c != null; c = c.getSuperclass()) if (c.getName().equals(type)) return true;
    return false;
  }

  /**
   * Prints an exception.
   *
   * @param asJson as an object
   * @param thrown that is just being made
   */
  public void print(boolean asJson, Throwable thrown) {
    List<Frame> frames = reader == null ? plainFrames(thrown) : reader.frames(thrown, most, withVariables);
    Expanded expanded = new Expanded();
    StackTraceElement at = frames.isEmpty() ? null : frames.get(0).place;
    Event e = Event.of(at == null ? "" : at.getClassName(), at == null ? "" : at.getMethodName()).thrown(thrown);
    List<Event.FrameShown> shown = new ArrayList<>();
    for (Frame f : frames) {
      List<Event.Variable> all = new ArrayList<>();
      for (Variable v : f.variables)
        all.add(new Event.Variable(v.name, v.descriptor, v.isKept ? expanded.of(v.name, v.value, depth) : null));
      shown.add(new Event.FrameShown(f.place, f.catches, all));
    }
    e.frames(shown).print(asJson);
  }

  private List<Frame> plainFrames(Throwable thrown) {
    List<Frame> all = new ArrayList<>();
    for (StackTraceElement f : Stacks.trace(most))
      if (!isMaker(f.getMethodName(), f.getClassName(), thrown)) all.add(new Frame(null, f));
    return all;
  }

  /**
   * Prints how many came after the first ones, and says if there were no variables.
   *
   * @param asJson as objects
   */
  public void end(boolean asJson) {
    if (withVariables && reader == null)
      Output.undone(
          "variables of frames need the agent, and Java 9 or later: only the frames are shown (" + why + ")");
    new TreeMap<>(seen)
        .forEach(
            (what, count) -> {
              if (count.sum() == 0) return;
              Output.println(
                  asJson ? new Json().put("again", what).put("count", count.sum()).toString()
                      : count.sum() + " more: " + SafeText.line(what));
            });
    seen.clear();
  }
}
