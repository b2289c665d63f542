// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The run-time library of the tracing facility. */
module jopt.tf {
  exports jopt.tf;
  exports jopt.tf.annotation;
  exports jopt.tf.timer;
}
