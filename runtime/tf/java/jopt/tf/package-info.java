// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Monitors of annotated methods, and the registry that attaches them. */
package jopt.tf;
