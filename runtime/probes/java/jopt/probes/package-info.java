// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * The library for probe classes: annotations that say where and with which values their callbacks
 * are called, and tables for their data.
 */
package jopt.probes;
