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
    int probe = (Integer)event[1];
    Probes.Fragment fragment =
        probes.probes.get(probe).fragment((String)event[0]);
    String kind = fragment.kind();
    text.append(event[0]).append(" p").append(probe);
    List<Probes.Item> data = fragment.data();
    String method = "";
    int args = -1;
    for (int i = 0; i < data.size(); i++) {
      String item = data.get(i).key();
      text.append(' ').append(item).append('=');
      describe(event[i + 2], text);
      if (item.equals("methodName"))
        method = (String)event[i + 2];
      if (item.equals("args"))
        args = i;
    }
    long hash = add(text);
    long chance = chance(hash);
    if (args >= 0 && chance == 1)
      write((Object[])event[args + 2], hash >>> 8);
    // What a JVM does with monitors that such a fault leaves locked is its own
    // affair; so where the host may hold one, its name must be known, and it
    // must not be in the host's own fragments, but at instructions, which are
    // covered by what releases the lock. As javac leaves a `synchronized`
    // block by a jump that instruction is not.
    boolean covered = Sites.KINDS.contains(kind) &&
                      !Sites.BETWEEN.contains(kind) &&
                      !kind.equals("monitorExit");
    if (chance != 0 ||
        (!kind.endsWith("Call") &&
         (method.isEmpty() || (!covered && method.startsWith("lock", 1)))))
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
