// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The variables, lines and handlers of the methods of a class, as its class file has them. The file is the one that its
 * loader finds, so code that was changed since it was loaded is found by its lines. Immutable.
 */
final class ClassCode {
  private static final ClassCode NONE = new ClassCode();
  /** Of a class file. */
  private static final int LARGEST = 1 << 24;

  static final class Variable {
    final int slot;
    final String name, descriptor;
    private final int start, end;

    private Variable(int start, int length, String name, String descriptor, int slot) {
      this.start = start;
      end = start + length;
      this.name = name;
      this.descriptor = descriptor;
      this.slot = slot;
    }
  }

  private static final class Handler {
    private int start, end;
    private String type; // null: any
  }

  private static final class Code {
    private final List<Variable> variables = new ArrayList<>();
    private final List<Handler> handlers = new ArrayList<>();
    private final List<int[]> lines = new ArrayList<>(); // start and number

    /** The index in this code; where that is of another line, the code that runs is other code. */
    private int place(int index, int line) {
      int[] last = null, first = null;
      for (int[] l : lines) {
        if (l[0] <= index && (last == null || l[0] >= last[0])) last = l;
        if (l[1] == line && (first == null || l[0] < first[0])) first = l;
      }
      return last == null || first == null || last[1] == line ? index : first[0];
    }
  }

  private final Map<String, Code> methods = new HashMap<>(); // by name and descriptor

  private ClassCode() {}

  /** That of a class; nothing is known of one that has no class file to be had. */
  static ClassCode of(Class<?> type) {
    String name = type.getName();
    try (InputStream in = type.getResourceAsStream(name.substring(name.lastIndexOf('.') + 1) + ".class")) {
      if (in == null) return NONE;
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      byte[] part = new byte[1 << 13];
      for (int n; (n = in.read(part)) > 0 && all.size() < LARGEST; ) all.write(part, 0, n);
      ClassCode code = new ClassCode();
      code.read(new DataInputStream(new ByteArrayInputStream(all.toByteArray())));
      return code;
    } catch (IOException | RuntimeException e) {
      return NONE;
    }
  }

  /** The variables in scope at an index, which is in that line; those of slots are in their order. */
  List<Variable> variablesAt(String method, String descriptor, int index, int line) {
    Code code = methods.get(method + descriptor);
    if (code == null) return Collections.emptyList();
    int at = code.place(index, line);
    List<Variable> found = new ArrayList<>();
    for (Variable v : code.variables) if (v.start <= at && at < v.end) found.add(v);
    found.sort((a, b) -> a.slot - b.slot);
    return found;
  }

  /** A handler of that method catches such an exception there; those that take any throw it again. */
  boolean catches(String method, String descriptor, int index, int line, Throwable thrown) {
    Code code = methods.get(method + descriptor);
    if (code == null) return false;
    int at = code.place(index, line);
    for (Handler h : code.handlers) {
      if (h.type == null || at < h.start || h.end <= at) continue;
      for (Class<?> c = thrown.getClass(); c != null; c = c.getSuperclass())
        if (c.getName().equals(h.type)) return true;
    }
    return false;
  }

  private void read(DataInputStream in) throws IOException {
    in.skipBytes(8);
    int size = in.readUnsignedShort();
    Object[] pool = new Object[size];
    for (int i = 1; i < size; i++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1:
          pool[i] = in.readUTF();
          break;
        case 7:
          pool[i] = in.readUnsignedShort();
          break;
        case 5:
        case 6:
          in.skipBytes(8);
          i++;
          break;
        case 15:
          in.skipBytes(3);
          break;
        case 8:
        case 16:
        case 19:
        case 20:
          in.skipBytes(2);
          break;
        default:
          in.skipBytes(4);
      }
    }
    in.skipBytes(6);
    in.skipBytes(2 * in.readUnsignedShort());
    for (int n = in.readUnsignedShort(); n > 0; n--) {
      in.skipBytes(6);
      for (int a = in.readUnsignedShort(); a > 0; a--) {
        in.skipBytes(2);
        in.skipBytes(in.readInt());
      }
    }
    for (int n = in.readUnsignedShort(); n > 0; n--) {
      in.skipBytes(2);
      String key = (String) pool[in.readUnsignedShort()] + pool[in.readUnsignedShort()];
      for (int a = in.readUnsignedShort(); a > 0; a--) {
        Object name = pool[in.readUnsignedShort()];
        int length = in.readInt();
        if ("Code".equals(name)) methods.put(key, readCode(in, pool));
        else in.skipBytes(length);
      }
    }
  }

  private static Code readCode(DataInputStream in, Object[] pool) throws IOException {
    Code code = new Code();
    in.skipBytes(4);
    in.skipBytes(in.readInt());
    for (int n = in.readUnsignedShort(); n > 0; n--) {
      Handler h = new Handler();
      h.start = in.readUnsignedShort();
      h.end = in.readUnsignedShort();
      in.skipBytes(2);
      int type = in.readUnsignedShort();
      h.type = type == 0 ? null : ((String) pool[(Integer) pool[type]]).replace('/', '.');
      code.handlers.add(h);
    }
    for (int a = in.readUnsignedShort(); a > 0; a--) {
      Object name = pool[in.readUnsignedShort()];
      int length = in.readInt();
      if ("LineNumberTable".equals(name)) {
        for (int n = in.readUnsignedShort(); n > 0; n--)
          code.lines.add(new int[] {in.readUnsignedShort(), in.readUnsignedShort()});
      } else if ("LocalVariableTable".equals(name)) {
        for (int n = in.readUnsignedShort(); n > 0; n--) {
          int start = in.readUnsignedShort(), span = in.readUnsignedShort();
          String of = (String) pool[in.readUnsignedShort()], type = (String) pool[in.readUnsignedShort()];
          code.variables.add(new Variable(start, span, of, type, in.readUnsignedShort()));
        }
      } else {
        in.skipBytes(length);
      }
    }
    return code;
  }
}
