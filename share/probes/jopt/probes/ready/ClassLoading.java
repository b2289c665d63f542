// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.ready;

import java.nio.ByteBuffer;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import jopt.probes.*;
import jopt.probes.ready.shared.*;

/** Classes that loaders of Java define: not those of the boot loader, and none that are hidden. */
public final class ClassLoading {
  private ClassLoading() {}

  private static final class Classes extends CallTable {
    final StringColumn name = new StringColumn("Class");
    final StringColumn loader = new StringColumn("Loader");
    final StringColumn source = new StringColumn("Source");
    final IntColumn bytes = new IntColumn("Bytes");

    Classes() {
      super(ClassLoading.class, "Class", Settings.CALLS);
    }
  }

  private static final Classes classes = new Classes();

  private static int begin(ClassLoader loader, int bytes, ProtectionDomain domain) {
    String type = loader.getClass().getName();
    if (type.startsWith("jopt.boot.")) return Table.NO_ROW; // loaders of probes
    int row = classes.createRow();
    if (Table.shouldIgnoreRow(row)) return row;
    classes.loader.setValue(row, type + "@" + Integer.toHexString(System.identityHashCode(loader)));
    classes.bytes.setValue(row, bytes);
    CodeSource source = domain == null ? null : domain.getCodeSource();
    if (source != null && source.getLocation() != null) {
      classes.source.setValue(row, Settings.url(source.getLocation().toString()));
    }
    return row;
  }

  private static void end(int row, String name, Class<?> defined, Throwable thrown) {
    classes.name.setValue(row, defined != null ? defined.getName() : name);
    classes.closeRow(row, thrown);
  }

  /** From bytes; the superclass may be loaded meanwhile. */
  @MethodPattern(
      "java.lang.ClassLoader:defineClass(String, byte[], int, int, java.security.ProtectionDomain)")
  public static final class Define {
    public static int onEnter(
        @This Object loader, @Param(4) int bytes, @Param(5) ProtectionDomain domain) {
      return begin((ClassLoader) loader, bytes, domain);
    }

    public static void onExit(
        @Param(1) String name,
        @OnEnterResult int row,
        @ReturnValue Class<?> defined,
        @ThrownException Throwable thrown) {
      end(row, name, defined, thrown);
    }
  }

  /** From a buffer; one on the heap is handed to the other method. */
  @MethodPattern(
      "java.lang.ClassLoader:defineClass(String, java.nio.ByteBuffer, java.security.ProtectionDomain)")
  public static final class DefineBuffer {
    public static int onEnter(
        @This Object loader, @Param(2) ByteBuffer bytes, @Param(3) ProtectionDomain domain) {
      if (bytes == null || !bytes.isDirect()) return Table.NO_ROW;
      return begin((ClassLoader) loader, bytes.remaining(), domain);
    }

    public static void onExit(
        @Param(1) String name,
        @OnEnterResult int row,
        @ReturnValue Class<?> defined,
        @ThrownException Throwable thrown) {
      end(row, name, defined, thrown);
    }
  }
}
