//===- utils/model/ProbeClasses.java - the probe classes of a program -----===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** The probe classes among class files, in the order of their names. */
final class ProbeClasses extends ProbeSet {
  private final List<ProbeClass> probes = new ArrayList<>();

  ProbeClasses(Map<String, byte[]> files) {
    for (byte[] file : files.values()) {
      ClassNode node = Interpreter.read(file);
      if (ProbeClass.isProbe(node))
        probes.add(new ProbeClass(node));
    }
    probes.sort(Comparator.comparing(p -> p.name));
  }

  ProbeClass named(String name) {
    return probes.stream().filter(p -> p.name.equals(name)).findAny().get();
  }

  @Override
  Activation activate(Interpreter model, Interpreter.Cls owner,
                      MethodNode method, Object[] params) {
    List<ProbeClass> selected = new ArrayList<>();
    if (!model.isLeft(owner, method))
      for (ProbeClass p : probes)
        if (p.selects(model, owner, method))
          selected.add(p);
    return new CallbackActivation(model, selected, owner, method, params);
  }
}
