// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What sources written for YourKit refer to besides its probes. */
package com.yourkit.runtime;
