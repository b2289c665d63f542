//===- benchmarks/overhead/Work.java - What is measured -===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
package overhead;

/** One call of a workload, a few microseconds to a few milliseconds long. */
interface Work {
  long run(String workload);
}
