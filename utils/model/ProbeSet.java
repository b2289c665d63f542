//===- utils/model/ProbeSet.java - probes of one kind ---------------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package model;

import org.objectweb.asm.tree.MethodNode;

/** The probes of a program; these are none. */
class ProbeSet {
  /** A method is called. */
  Activation activate(Interpreter model, Interpreter.Cls owner,
                      MethodNode method, Object[] params) {
    return new Activation(model, owner, method, params);
  }

  /** A class is initialised that has no static initialiser. */
  void initialise(Interpreter model, Interpreter.Cls c)
      throws Interpreter.Thrown {}
}
