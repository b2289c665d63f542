//===- Begin.java - Where a trace begins ----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package model;

/** Model, called by a class that is traced: what programs do is recorded from here on. */
final class Begin {
  private Begin() {}

  public static void main(String[] args) throws Exception {
    Model.main(args);
  }
}
