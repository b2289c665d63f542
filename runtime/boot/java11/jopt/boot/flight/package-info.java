// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What is recorded as events of the JDK's flight recorder. Of Java 11; others go without. */
package jopt.boot.flight;
