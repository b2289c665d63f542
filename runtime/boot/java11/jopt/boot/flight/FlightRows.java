// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.flight;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.AnnotationElement;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.EventFactory;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.ValueDescriptor;
import jopt.boot.record.RecordedTable;
import jopt.boot.record.RowListener;
import jopt.boot.record.WholeRows;

/**
 * The rows of a table as events of the JDK's flight recorder, while a recording is on: a type for
 * each table. Nothing of the recorder is used before somebody has started it.
 *
 * <p>Rows that do not last and lack a value are events at the end of a chunk of the recording at the latest.
 */
public final class FlightRows extends WholeRows<Event> implements Runnable {
  private static final AtomicBoolean lock = new AtomicBoolean();
  private static volatile boolean isBroken;
  private static final Map<String, RowListener> known = new HashMap<>();
  private static final Set<String> names = new HashSet<>();

  private final EventFactory factory;
  private final EventType type;
  private final boolean isLasting;
  private final int exception;
  private final int thread;

  private FlightRows(RecordedTable table, String name) {
    super(table);
    isLasting = (table.mask() & RecordedTable.LASTING) != 0;
    List<AnnotationElement> annotations = new ArrayList<>();
    annotations.add(new AnnotationElement(Name.class, name));
    annotations.add(new AnnotationElement(Label.class, table.title()));
    annotations.add(new AnnotationElement(Category.class, new String[] {"jopt"}));
    annotations.add(
        new AnnotationElement(
            StackTrace.class, (table.mask() & RecordedTable.STACK) != 0));
    if (!isLasting) annotations.add(new AnnotationElement(Period.class, "endChunk"));
    Set<String> used = new HashSet<>();
    for (String own : new String[] {"startTime", "duration", "eventThread", "stackTrace"}) {
      unique(own, used);
    }
    List<ValueDescriptor> fields = new ArrayList<>();
    add(fields, int.class, "row", used);
    add(fields, int.class, "parent", used);
    for (int i = 0; i < table.columns(); i++) {
      add(fields, fieldType(table.columnType(i)), table.columnTitle(i), used);
    }
    exception = add(fields, String.class, "exception", used);
    boolean hasThread = (table.mask() & RecordedTable.THREAD) != 0;
    thread = hasThread ? add(fields, Thread.class, "thread", used) : -1;
    factory = EventFactory.create(annotations, fields);
    type = factory.getEventType();
    if (!isLasting) FlightRecorder.addPeriodicEvent(factory.newEvent().getClass(), this);
  }

  private static int add(
      List<ValueDescriptor> fields, Class<?> type, String title, Set<String> used) {
    String name = unique(identifier(title), used);
    List<AnnotationElement> label = new ArrayList<>();
    if (!title.isEmpty()) label.add(new AnnotationElement(Label.class, title));
    fields.add(new ValueDescriptor(type, name, label));
    return fields.size() - 1;
  }

  private static Class<?> fieldType(char type) {
    switch (type) {
      case RecordedTable.INT:
      case RecordedTable.ROW:
        return int.class;
      case RecordedTable.LONG:
        return long.class;
      default:
        return String.class;
    }
  }

  /** The letters and digits of a title, as `jopt-data export -format=jfr` has them. */
  private static String identifier(String title) {
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < title.length(); i++) {
      char c = title.charAt(i);
      boolean isPlain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
      // A character is as many bytes in the other.
      int bytes = c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
      for (int k = 0; k < bytes; k++) name.append(isPlain ? c : '_');
    }
    boolean isName = name.length() > 0 && !(name.charAt(0) >= '0' && name.charAt(0) <= '9');
    return isName ? name.toString() : "_" + name;
  }

  private static String unique(String name, Set<String> used) {
    String unique = name;
    for (int n = 2; !used.add(unique.toLowerCase(java.util.Locale.ROOT)); n++) {
      unique = name + "_" + n;
    }
    return unique;
  }

  /**
   * What gives listeners to tables.
   *
   * @return the same each time
   */
  public static Source source() {
    FlightRecorder.isInitialized(); // fails where there is none
    return new Listeners();
  }

  private static final class Listeners implements Source {
    @Override
    public RowListener of(RecordedTable table) {
      // Do not wait here: the thread that makes a listener may wait for a thread of the flight recorder,
      // which records rows itself.
      if (isBroken || !FlightRecorder.isInitialized() || isInside()) return null;
      if (!lock.compareAndSet(false, true)) return null;
      try {
        return make(table);
      } catch (Throwable e) {
        isBroken = true;
        return null;
      } finally {
        lock.set(false);
      }
    }
  }

  /** Is the flight recorder at work on this thread? Then it may be in the midst of its types. */
  private static boolean isInside() {
    for (StackTraceElement frame : new Throwable().getStackTrace()) {
      if (frame.getClassName().startsWith("jdk.jfr.")) return true;
    }
    return false;
  }

  /** Tables that are equal, as of probes that come again, have one type of events. */
  private static RowListener make(RecordedTable table) {
    StringBuilder key = new StringBuilder();
    for (RecordedTable t = table; t != null; t = t.parent()) key.append(t.title()).append('\n');
    key.append(table.mask());
    for (int i = 0; i < table.columns(); i++) {
      key.append('\n').append(table.columnType(i)).append(table.columnTitle(i));
    }
    RowListener found = known.get(key.toString());
    if (found == null) {
      String name = "jopt." + unique(identifier(table.title()), names);
      found = new FlightRows(table, name);
      known.put(key.toString(), found);
    }
    return found;
  }

  @Override
  protected boolean isWanted() {
    return type.isEnabled();
  }

  @Override
  protected Event begin(int row, int parent) {
    Event event = factory.newEvent();
    event.begin();
    if (!isLasting) event.end();
    event.set(0, row);
    event.set(1, parent);
    if (thread >= 0) event.set(thread, Thread.currentThread());
    return event;
  }

  @Override
  protected void set(Event event, int column, Object value) {
    event.set(column == RecordedTable.EXCEPTION ? exception : 2 + column, value);
  }

  @Override
  protected void tell(Event event, long time) {
    event.commit();
  }

  /** At the end of a chunk of the recording. */
  @Override
  public void run() {
    tellAll(0);
  }
}
