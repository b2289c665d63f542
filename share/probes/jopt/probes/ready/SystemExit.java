// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.ready;

import jopt.probes.*;
import jopt.probes.ready.shared.Tests;

/** Calls that end the JVM: who made them. */
public final class SystemExit {
  private SystemExit() {}

  private static final class Exits extends Table {
    final StringColumn call = new StringColumn("Call");
    final IntColumn status = new IntColumn("Status");
    final ForeignKeyColumn test = Tests.column();

    Exits() {
      super(SystemExit.class, "Exit", MASK_FOR_POINT_EVENTS);
    }
  }

  private static final Exits exits = new Exits();

  /** {@code System.exit} and {@code System.halt} come to these. */
  @MethodPattern({"java.lang.Runtime:exit(int)", "java.lang.Runtime:halt(int)"})
  public static final class Exit {
    public static void onEnter(@MethodName String method, @Param(1) int status) {
      int row = exits.createRow();
      exits.call.setValue(row, method);
      exits.status.setValue(row, status);
      Tests.mark(exits.test, row);
    }
  }
}
