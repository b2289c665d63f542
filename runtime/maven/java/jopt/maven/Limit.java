// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.maven;

/** A limit of a {@link Rule}: for which counter and value, and how much. */
public final class Limit {
  String counter;
  String value;
  String minimum;
  String maximum;
}
