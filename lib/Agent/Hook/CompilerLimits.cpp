//===- CompilerLimits.cpp - Sizes up to which HotSpot compiles
//-------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hook/CompilerLimits.h"
#include "jopt/Agent/Hook/VMFlags.h"
#include "jopt/Bytecode/HotSpot.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"
#include <atomic>

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Class files
//===----------------------------------------------------------------------===//

/// How many methods of \p Class that run often pass the limit.
static unsigned countHuge(Bytes Class) {
  if (Class.size() <= hotspot::HugeMethodLimit)
    return 0;
  auto F = readClass(Class);
  if (!F) {
    llvm::consumeError(F.takeError());
    return 0;
  }
  return unsigned(llvm::count_if((*F)->Methods, [&](const Method &M) {
    return M.code((*F)->Pool).size() > hotspot::HugeMethodLimit &&
           hotspot::isWorthCompiling((*F)->name(M));
  }));
}

bool agent::growsHuge(Bytes Before, Bytes After) {
  const unsigned New = countHuge(After);
  return New && New > countHuge(Before);
}

//===----------------------------------------------------------------------===//
// Flags
//===----------------------------------------------------------------------===//

// Compiler threads read the flags while they change.
template <typename T> static void put(T *Flag, T Value) {
  __atomic_store_n(Flag, Value, __ATOMIC_RELAXED);
}

llvm::Expected<bool> CompilerLimits::compileHuge(JavaVM *VM) {
  const std::lock_guard<std::mutex> Guard(Lock);
  if (!HasLookedForHuge) {
    HasLookedForHuge = true;
    Huge = VMFlags(VM, {"DontCompileHugeMethods"}).flag(0);
    if (!Huge)
      return makeError("this JVM does not say where its flag "
                       "DontCompileHugeMethods is");
  }
  if (!Huge || IsHugeCleared || !*Huge)
    return false;
  put<unsigned char>(Huge, 0);
  return IsHugeCleared = true;
}

llvm::Expected<bool> CompilerLimits::raiseInlining(JavaVM *VM) {
  const std::lock_guard<std::mutex> Guard(Lock);
  if (HasLookedForInlining)
    return false;
  HasLookedForInlining = true;
  // Before Java 16 both compilers have one MaxInlineSize.
  const VMFlags Flags(VM,
                      {"FreqInlineSize", "MaxInlineSize", "C1MaxInlineSize"});
  for (size_t N = 0; N < 3; ++N)
    if (int32_t *Flag = Flags.number(N); Flag && *Flag > 0 && *Flag < Largest) {
      Raised.push_back({Flag, *Flag});
      put(Flag, *Flag * Growth / 100);
    }
  if (Raised.empty())
    return makeError("this JVM does not say where its flag FreqInlineSize is");
  return true;
}

void CompilerLimits::restore() {
  const std::lock_guard<std::mutex> Guard(Lock);
  if (IsHugeCleared)
    put<unsigned char>(Huge, 1);
  IsHugeCleared = false;
  for (auto [Flag, Old] : Raised)
    put(Flag, Old);
  Raised.clear();
  HasLookedForInlining = false;
}
