// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A value of the program with what is in it: fields, elements, lengths. It is a copy, and runs no code of the program:
 * objects are read by reflection, and only collections of the JDK itself, which call nothing of their elements, are
 * asked for these. Secrets are left out. Not for several threads.
 */
final class Expanded {
  /** How many elements of an array, a collection or a map, and fields of an object. */
  static final int ELEMENTS = 100, FIELDS = 50;

  /** How deep. */
  static final int DEEPEST = 10;

  /** How many characters of a text, and of all together. */
  static final int TEXT = 255, ALL = 1 << 16;

  /** How many parts and characters there are of a value on a line beside others. */
  private static final int FEW = 10, LINE = 200;

  /** How long all of an event may take, in nanoseconds. On a busy machine a thread may wait longer than that. */
  static final long LONGEST = 1_000_000 * Long.getLong("jopt.expand.ms", 50);

  /** The first three have no parts. */
  private enum Form { TEXT, QUOTED, NUMBER, OBJECT, ARRAY, MAP }

  /** A value as it is shown. */
  static final class Node {
    private final Form form;
    /** Of an object, an array, or a text that is cut; else null. */
    private final String type;
    private final Object plain;
    private final List<String> names = new ArrayList<>();
    private final List<Node> keys = new ArrayList<>();
    private final List<Node> parts = new ArrayList<>();
    /** Of an array, a collection, a map, a text that is cut; else negative. */
    private long length = -1;
    /** Why there is no more; null if that is all. */
    private String cut;

    private Node(Form form, String type, Object plain) {
      this.form = form;
      this.type = type;
      this.plain = plain;
    }

    /** For people. */
    @Override
    public String toString() {
      StringBuilder text = new StringBuilder();
      addTo(text, true);
      return text.toString();
    }

    /** A text without quotes, as a template shows it. */
    String bare() {
      return form == Form.QUOTED ? plain + (cut == null ? "" : "...") : toString();
    }

    private void addTo(StringBuilder to, boolean isWhole) {
      switch (form) {
        case TEXT:
        case NUMBER:
          to.append(plain);
          return;
        case QUOTED:
          to.append('"').append(plain).append('"');
          if (cut != null) to.append("... ").append(length).append(" characters");
          return;
        default:
      }
      to.append(type.substring(type.lastIndexOf('.') + 1));
      if (length >= 0) to.append('(').append(length).append(')');
      if (parts.isEmpty() && cut == null) {
        if (form == Form.OBJECT) to.append("{}");
        return;
      }
      if (parts.isEmpty() && cut.isEmpty()) return;
      char open = form == Form.ARRAY ? '[' : '{';
      to.append(open);
      for (int i = 0; i < parts.size(); i++) {
        if (i > 0) to.append(", ");
        if (form == Form.OBJECT) to.append(names.get(i)).append('=');
        if (form == Form.MAP) {
          keys.get(i).addTo(to, false);
          to.append('=');
        }
        parts.get(i).addTo(to, false);
      }
      if (cut != null && !cut.isEmpty()) to.append(parts.isEmpty() ? "" : ", ").append("... ").append(cut);
      to.append(open == '[' ? ']' : '}');
    }

    /** As {@link Json#put} takes it. */
    Object json() {
      switch (form) {
        case TEXT:
          return plain;
        case NUMBER:
          return Numbers.json(plain);
        case QUOTED:
          if (cut == null) return plain;
          return new Json().put("type", type).put("length", length).put("text", plain);
        default:
      }
      Json o = new Json().put("type", type);
      if (length >= 0) o.put("length", length);
      if (form == Form.OBJECT && !parts.isEmpty()) {
        Json fields = new Json();
        for (int i = 0; i < parts.size(); i++) fields.put(names.get(i), parts.get(i).json());
        o.put("fields", fields);
      } else if (form == Form.ARRAY && !parts.isEmpty()) {
        Object[] all = new Object[parts.size()];
        for (int i = 0; i < all.length; i++) all[i] = parts.get(i).json();
        o.put("elements", all);
      } else if (form == Form.MAP && !parts.isEmpty()) {
        Object[] all = new Object[parts.size()];
        for (int i = 0; i < all.length; i++)
          all[i] = new Json().put("key", keys.get(i).json()).put("value", parts.get(i).json());
        o.put("entries", all);
      }
      if (cut != null) o.put("cut", cut.isEmpty() ? "depth" : cut);
      return o;
    }
  }

  private final Set<Object> above = Collections.newSetFromMap(new IdentityHashMap<>());
  private final long end = System.nanoTime() + LONGEST;
  private final boolean isBrief;
  private int room;

  Expanded() {
    this(false);
  }

  private Expanded(boolean isBrief) {
    this.isBrief = isBrief;
    room = isBrief ? LINE : ALL;
  }

  /** A value as a short text: one level of its parts. */
  static String brief(Object value) {
    return new Expanded(true).of(value, 1).toString();
  }

  /**
   * A value.
   *
   * @param name of the variable that has it; null if there is none
   * @param value any
   * @param depth how many levels of objects: 0 shows their types and lengths alone
   */
  Node of(String name, Object value, int depth) {
    if (value != null && !(value instanceof Boolean) && Secrets.hides(name)) return plain(Secrets.MASK);
    return of(value, Math.min(depth, DEEPEST));
  }

  private Node of(Object value, int depth) {
    room -= 8;
    if (value == null) return new Node(Form.NUMBER, null, null);
    if (value instanceof String) return text((String) value, ((String) value).length(), "java.lang.String");
    Class<?> type = value.getClass();
    if (value instanceof Boolean || Numbers.isPlain(value)) return new Node(Form.NUMBER, null, value);
    if (Secrets.hides(type)) return plain(Secrets.MASK);
    if (value instanceof Character) return plain("'" + SafeText.line(value.toString()) + "'");
    if (value instanceof Class) return plain(((Class<?>) value).getName());
    if (value instanceof Enum) return plain(((Enum<?>) value).name());
    String text = Trusted.text(value);
    if (text != null) return plain(text);
    if (value instanceof Thread) return named(type, "name", of(((Thread) value).getName(), 0));
    Object held = Trusted.held(value);
    if (held != Members.NONE) {
      if (depth <= 0 || above.contains(value)) return parts(value, type, depth);
      above.add(value);
      try {
        return named(type, "value", of(held, depth - 1));
      } finally {
        above.remove(value);
      }
    }
    if (type == StringBuilder.class) return builder((StringBuilder) value);
    return parts(value, type, depth);
  }

  private Node plain(String text) {
    room -= text.length();
    return new Node(Form.TEXT, null, text);
  }

  private static Node named(Class<?> type, String name, Node part) {
    Node n = new Node(Form.OBJECT, type.getName(), null);
    n.names.add(name);
    n.parts.add(part);
    return n;
  }

  private Node builder(StringBuilder value) {
    try {
      int length = value.length();
      return text(value.substring(0, Math.min(length, TEXT)), length, "java.lang.StringBuilder");
    } catch (RuntimeException e) { // Another thread is at it.
      return new Node(Form.OBJECT, "java.lang.StringBuilder", null);
    }
  }

  private Node text(String value, int length, String type) {
    String shown = value.length() > TEXT ? value.substring(0, TEXT) : value;
    shown = SafeText.line(Secrets.scrub(shown));
    room -= shown.length();
    Node n = new Node(Form.QUOTED, type, shown);
    if (length > TEXT) {
      n.length = length;
      n.cut = "text";
    }
    return n;
  }

  private Node parts(Object value, Class<?> type, int depth) {
    boolean isArray = type.isArray();
    boolean isCollection = !isArray && Trusted.isCollection(value);
    boolean isMap = !isArray && Trusted.isMap(value);
    String name = isArray ? arrayName(type) : type.getName();
    Node n = new Node(isArray || isCollection ? Form.ARRAY : isMap ? Form.MAP : Form.OBJECT, name, null);
    room -= name.length();
    try {
      if (isArray) n.length = Array.getLength(value);
      else if (isCollection && !Trusted.isCounted(value)) n.length = ((Collection<?>) value).size();
      else if (isMap) n.length = ((Map<?, ?>) value).size();
      if (above.contains(value)) {
        n.cut = "cycle";
        return n;
      }
      if (n.length == 0) return n;
      if (depth <= 0) {
        n.cut = "";
        return n;
      }
      above.add(value);
      try {
        if (isArray) elements(n, value, depth);
        else if (isCollection) elements(n, (Collection<?>) value, depth);
        else if (isMap) entries(n, (Map<?, ?>) value, depth);
        else fields(n, value, type, depth);
      } finally {
        above.remove(value);
      }
    } catch (Throwable e) { // Another thread changes it.
      n.cut = "unreadable";
    }
    return n;
  }

  private static String arrayName(Class<?> type) {
    return type.getComponentType().isArray()
        ? arrayName(type.getComponentType()) + "[]"
        : type.getComponentType().getName() + "[]";
  }

  /** There is room and time for one more. */
  private boolean goesOn(Node n, int shown, int most) {
    if (shown >= (isBrief ? FEW : most) || isBrief && room <= 0) n.cut = "more";
    else if (room <= 0) n.cut = "room";
    else if (System.nanoTime() - end > 0) n.cut = "time";
    else return true;
    return false;
  }

  private void elements(Node n, Object array, int depth) {
    Object before = null;
    for (int i = 0; i < n.length && goesOn(n, i, ELEMENTS); i++) {
      Object each = Array.get(array, i);
      n.parts.add(of(asName(before), each, depth - 1));
      before = each;
    }
  }

  /** Behind {@code --password} there is one. */
  private static String asName(Object before) {
    if (!(before instanceof String) || ((String) before).length() > 40) return null;
    String name = (String) before;
    for (int i = 0; i < name.length(); i++)
      if (!Character.isJavaIdentifierPart(name.charAt(i)) && "-.".indexOf(name.charAt(i)) < 0) return null;
    return name;
  }

  private void elements(Node n, Collection<?> all, int depth) {
    int i = 0;
    Object before = null;
    for (Object each : all) {
      if (!goesOn(n, i++, ELEMENTS)) return;
      n.parts.add(of(asName(before), each, depth - 1));
      before = each;
    }
  }

  private void entries(Node n, Map<?, ?> all, int depth) {
    int i = 0;
    for (Map.Entry<?, ?> each : all.entrySet()) {
      if (!goesOn(n, i++, ELEMENTS)) return;
      Object key = each.getKey();
      n.keys.add(of(key, depth - 1));
      String name = key instanceof String ? (String) key : key instanceof Enum ? ((Enum<?>) key).name() : null;
      n.parts.add(of(name, each.getValue(), depth - 1));
    }
  }

  private void fields(Node n, Object value, Class<?> type, int depth) {
    if (value instanceof Throwable) message(n, (Throwable) value);
    String unread = null;
    Object before = null;
    List<Class<?>> all = new ArrayList<>();
    for (Class<?> c = type; c != null && c != Object.class && c != Throwable.class; c = c.getSuperclass()) all.add(0, c);
    for (Class<?> c : all) {
      Field[] declared;
      try {
        declared = c.getDeclaredFields();
      } catch (Throwable e) { // A class of a field is not there.
        unread = "unreadable";
        continue;
      }
      for (Field f : declared) {
        if (Modifier.isStatic(f.getModifiers()) || f.getName().startsWith("this$")) continue;
        if (!goesOn(n, n.parts.size(), FIELDS)) return;
        Object found;
        try {
          open(f);
          found = f.get(value);
        } catch (Throwable e) { // Its module is closed.
          unread = "closed";
          break;
        }
        // An entry, a header or a pair has the name in front of the value.
        String name = Secrets.hides(f.getName()) ? f.getName() : asName(before);
        n.names.add(f.getName());
        n.parts.add(of(name, found, depth - 1));
        before = found;
      }
    }
    n.cut = unread;
  }

  /** Unless the program says what the message is. */
  private void message(Node n, Throwable thrown) {
    try {
      if (thrown.getClass().getMethod("getMessage").getDeclaringClass() != Throwable.class) return;
      String message = thrown.getMessage();
      n.names.add("message");
      n.parts.add(message == null ? of(null, 0) : text(message, message.length(), "java.lang.String"));
    } catch (ReflectiveOperationException e) {
      // There is always one.
    }
  }

  static void open(AccessibleObject o) {
    if (!o.isAccessible()) o.setAccessible(true);
  }
}
