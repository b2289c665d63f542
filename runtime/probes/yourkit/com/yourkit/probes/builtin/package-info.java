// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What sources written for YourKit's ready probes refer to. */
package com.yourkit.probes.builtin;
