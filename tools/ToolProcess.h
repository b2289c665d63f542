//===- ToolProcess.h - How tools begin and end ------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What all tools do alike where an output is full or closed, or there is no
/// memory: one line and status 1, in place of LLVM's abort.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_TOOLS_TOOLPROCESS_H
#define JOPT_TOOLS_TOOLPROCESS_H

namespace jopt {

/// First in the main() of \p Tool, whose name messages begin with. However the
/// tool ends from then on, by exit() too:
///  - what is left for standard output is written, and if any of that could not
///    be, the status is 1 and a line says why. A reader that went away has read
///    enough: that is no error.
///  - what standard error does not take is lost without more.
///  - where memory runs out, a line says so, and the status is 1.
/// A standard stream that is closed stays so: no file that is opened later
/// takes its place.
void beginTool(const char *Tool);

} // namespace jopt

#endif
