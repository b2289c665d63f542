// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.coverage;

import java.io.DataOutputStream;
import java.io.IOException;
import java.util.UUID;

/** Writes what was covered as JaCoCo does: blocks of a session and of classes. */
final class Exec {
  /** What a file, and each side of a connection, begins with. */
  static final int HEADER = 0x01, MAGIC = 0xc0c0, VERSION = 0x1007;

  private static final int SESSION = 0x10, CLASS = 0x11;

  /** Who these data are of: as given, or as no other. */
  private static final String id =
      System.getProperty("jopt.coverage.sessionid", "jopt-" + UUID.randomUUID().toString().substring(0, 8));

  private Exec() {}

  static void header(DataOutputStream to) throws IOException {
    to.write(new byte[] {HEADER, (byte) (MAGIC >> 8), (byte) MAGIC, (byte) (VERSION >> 8), (byte) VERSION});
  }

  /** Times are milliseconds since 1970. */
  static void session(DataOutputStream to, long start, long end) throws IOException {
    to.writeByte(SESSION);
    to.writeUTF(id);
    to.writeLong(start);
    to.writeLong(end);
  }

  /** Nothing if no probe was reached. */
  static void type(DataOutputStream to, long id, String name, boolean[] probes) throws IOException {
    int bits = 0;
    for (boolean probe : probes) if (probe) bits++;
    if (bits == 0) return;
    to.writeByte(CLASS);
    to.writeLong(id);
    to.writeUTF(name);
    int n = probes.length;
    for (; n >>> 7 != 0; n >>>= 7) to.writeByte(n | 0x80);
    to.writeByte(n);
    for (int i = 0; i < probes.length; i += 8) {
      int eight = 0;
      for (int k = i; k < i + 8 && k < probes.length; k++) if (probes[k]) eight |= 1 << k - i;
      to.writeByte(eight);
    }
  }
}
