//===- utils/model/FragmentRecorder.java - events of fragments ------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package model;

import java.util.List;

/** Fragments: they return nothing, and write into the arrays that they get. */
final class FragmentRecorder extends Recorder {
  private final Probes probes;
  /** What fragments throw is dropped. */
  private final boolean isolated;

  /** @param isolated what fragments throw shall have no effect */
  FragmentRecorder(Probes probes, long faultSeed, int faultRate,
                   boolean isolated) {
    super(faultSeed, faultRate);
    this.probes = probes;
    this.isolated = isolated;
  }

  @Override
  Object record(Object[] event) throws Fault {
    StringBuilder text = new StringBuilder();
    String kind = (String)event[0];
    int probe = (Integer)event[1];
    text.append(kind).append(" p").append(probe);
    List<String> data = probes.probes.get(probe).fragment(kind).data();
    String method = "";
    for (int i = 0; i < data.size(); i++) {
      text.append(' ').append(data.get(i)).append('=');
      describe(event[i + 2], text);
      if (data.get(i).equals("methodName"))
        method = (String)event[i + 2];
    }
    long hash = add(text);
    long chance = chance(hash);
    int args = data.indexOf("args");
    if (args >= 0 && chance == 1)
      write((Object[])event[args + 2], hash >>> 8);
    // What a JVM does with monitors that such a fault leaves locked is its own
    // affair; so where the host may hold one, its name must be known, and it
    // must not be in the host's own fragments.
    if (chance != 0 ||
        (!kind.endsWith("Call") &&
         (!data.contains("methodName") || method.startsWith("lock", 1))))
      return null;
    // A class whose initialiser fails is lost, and all that needs it with it.
    if ((kind.equals("staticInitializer") || method.equals("<clinit>")) &&
        Long.remainderUnsigned(hash >>> 40, 32) != 0)
      return null;
    String thrown = exception(hash);
    append(" THROWS " + thrown);
    if (!isolated)
      throw new Fault(thrown);
    return null;
  }
}
