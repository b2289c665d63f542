// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The annotations of traced code, and the mark that the enhancer leaves. */
package jopt.tf.annotation;
