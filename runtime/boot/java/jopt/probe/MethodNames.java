// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

/** Names of methods, as {@code a.B.c}: for each event, so they are made once. */
public final class MethodNames {
  private static final int KEPT = 1 << 12;

  private static final class Name {
    final String type, method, text;

    Name(String type, String method) {
      this.type = type;
      this.method = method;
      text = type.replace('/', '.') + '.' + method;
    }
  }

  /** By hash; threads may each make one and put it here, which are equal. */
  private static volatile Name[] names = new Name[KEPT];

  private MethodNames() {}

  /**
   * The name of a method.
   *
   * @param internalName of its class, a constant of the host
   * @param methodName its own, a constant too
   * @return both with dots
   */
  @SuppressWarnings("ReferenceEquality") // Constants; others get a name of their own.
  public static String of(String internalName, String methodName) {
    Name[] all = names;
    int hash = internalName.hashCode() * 31 + methodName.hashCode();
    int at = (hash ^ hash >>> 16) & KEPT - 1;
    Name found = all[at];
    if (found == null || found.type != internalName || found.method != methodName) {
      all[at] = found = new Name(internalName, methodName);
    }
    return found.text;
  }

  /** The probes are gone. */
  static void forget() {
    names = new Name[KEPT];
  }
}
