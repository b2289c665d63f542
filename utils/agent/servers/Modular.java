//===- Modular.java - A server for try-servers ----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package shop;

import front.Front;

/** The main class of a module of JBoss Modules. */
public class Modular {
  public static void main(String[] args) throws Exception { Front.serve(new Shop()); }
}
