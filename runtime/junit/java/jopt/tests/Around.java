// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tests;

/**
 * The code of a test class that runs while none of its tests does, such as the set-up before all of
 * them. It has the name of the class.
 */
final class Around {
  private final String name;
  private int running;

  /** Null: of no class. */
  Around(String name) {
    this.name = name;
  }

  /** A test or a class below begins; what ends by that. */
  String enter() {
    return running++ == 0 ? name : null;
  }

  /** It ends; what begins again. */
  String leave() {
    return --running == 0 ? name : null;
  }
}
