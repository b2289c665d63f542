//===- Allocations.cpp - Allocations that do not fail ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The linker has all code of the agent, its libraries included, allocate here.
/// That code has no exceptions, so what fails would end the JVM.
///
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Lifetime/Memory.h"
#include <cstddef>
#include <cstdint>

extern "C" {
void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void *__real_aligned_alloc(size_t, size_t);
}

/// \p Allocate, as often as it may succeed.
template <typename F> static void *insist(F Allocate) {
  void *Found = Allocate();
  for (unsigned I = 0; !Found && jopt::agent::findMemory(I); ++I)
    Found = Allocate();
  return Found;
}

/// No process ever has as much.
static bool isTooMuch(size_t Size) { return Size > PTRDIFF_MAX; }

extern "C" void *__wrap_malloc(size_t Size) {
  if (isTooMuch(Size))
    return nullptr;
  return insist([&] { return __real_malloc(Size); });
}

extern "C" void *__wrap_calloc(size_t Count, size_t Size) {
  size_t Whole;
  if (__builtin_mul_overflow(Count, Size, &Whole) || isTooMuch(Whole))
    return nullptr;
  return insist([&] { return __real_calloc(Count, Size); });
}

extern "C" void *__wrap_realloc(void *Old, size_t Size) {
  // Of no bytes it frees, and gives nothing.
  if (!Size || isTooMuch(Size))
    return __real_realloc(Old, Size);
  return insist([&] { return __real_realloc(Old, Size); });
}

extern "C" void *__wrap_aligned_alloc(size_t Alignment, size_t Size) {
  if (isTooMuch(Size))
    return nullptr;
  return insist([&] { return __real_aligned_alloc(Alignment, Size); });
}
