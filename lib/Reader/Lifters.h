//===- Lifters.h - The two ways to lift a method ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Entry points of the lifters behind liftMethod.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_READER_LIFTERS_H
#define JOPT_LIB_READER_LIFTERS_H

#include "Scratch.h"
#include "jopt/IR/Model/Body.h"
#include "jopt/Reader/Lifter.h"

namespace jopt {

/// A body for \p M, whose Code is \p Code, without blocks: M.IR.
Body &makeBody(ClassFile &Class, Method &M, const CodeView &Code);

/// Where the call of super() or this() ends in the straight code at the
/// beginning of \p F, which is \p Code; 0 if it is not there, or \p F is no
/// constructor. Made known by what it names: it may be the call of a
/// constructor of another object.
uint32_t endOfSuperCall(const Body &F, Bytes Code);

/// Both expect Code and Leaders of \p S to be those of the method.
/// One linear pass; \p StackMap is the payload of the StackMapTable, empty if
/// the method has none.
llvm::Error liftByFrames(Body &F, LiftScratch &S, Bytes StackMap,
                         const LiftOptions &O);

/// A fixed point over the reachable code; copies subroutines.
llvm::Error liftByInference(Body &F, LiftScratch &S, const LiftOptions &O);

/// Makes the tries of \p F: those of \p Handlers, which cover \p Blocks. These
/// are all blocks, ascending; each border and each target begins one.
void coverByHandlers(Body &F, llvm::ArrayRef<CodeView::Handler> Handlers,
                     llvm::ArrayRef<Block *> Blocks);

/// The type a handler catches: the named class, or Throwable.
Type caughtType(Body &F, uint16_t CatchType);

} // namespace jopt

#endif
