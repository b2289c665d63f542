// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Coverage: the arrays that covered classes write to, and how they get into the record. */
package jopt.boot.coverage;
