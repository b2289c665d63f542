// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What traced classes tell, event by event, and the way of that into the record. */
package jopt.boot.trace;
