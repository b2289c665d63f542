//===- real-programs/ordered_malloc.c - addresses in order ----------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// To be preloaded: gives blocks, but large ones, addresses in the order in
/// which they are asked for, and never a second time. HotSpot sorts the methods
/// of a class by where their names are, and reflection hands them out in that
/// order; with this it depends on the order in which names come up, and not on
/// what else the process has allocated and freed, an agent's blocks among them.
///
//===----------------------------------------------------------------------===//
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

enum { HeaderSize = 16, LargestSize = 65536 };
static const size_t RegionSize = (size_t)256 << 30;

static char *_Atomic Region;
static _Atomic size_t Used;

void *__libc_malloc(size_t Size);
void *__libc_calloc(size_t Count, size_t Size);
void *__libc_realloc(void *Block, size_t Size);
void __libc_free(void *Block);

static char *region(void) {
  char *Known = Region;
  if (Known)
    return Known;
  // Memory is used where it is written to only.
  char *Mine = mmap(NULL, RegionSize, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Mine == MAP_FAILED)
    __builtin_trap();
  if (atomic_compare_exchange_strong(&Region, &Known, Mine))
    return Mine;
  munmap(Mine, RegionSize);
  return Known;
}

static int isOrdered(const char *Block) {
  const char *Start = Region;
  return Start && Block >= Start && Block < Start + RegionSize;
}

void *malloc(size_t Size) {
  if (Size > LargestSize)
    return __libc_malloc(Size);
  size_t Whole = (HeaderSize + Size + 15) & ~(size_t)15;
  size_t At = atomic_fetch_add(&Used, Whole);
  if (At + Whole > RegionSize)
    return __libc_malloc(Size);
  char *Block = region() + At + HeaderSize;
  *(size_t *)(Block - HeaderSize) = Size;
  return Block;
}

void free(void *Block) {
  if (Block && !isOrdered(Block))
    __libc_free(Block);
}

void *calloc(size_t Count, size_t Size) {
  size_t Whole;
  if (__builtin_mul_overflow(Count, Size, &Whole) || Whole > LargestSize)
    return __libc_calloc(Count, Size);
  return malloc(Whole); // No block comes twice: it is zero.
}

void *realloc(void *Block, size_t Size) {
  if (!Block)
    return malloc(Size);
  if (!isOrdered(Block))
    return __libc_realloc(Block, Size);
  size_t Old = *(size_t *)((char *)Block - HeaderSize);
  void *Result = malloc(Size);
  if (Result)
    memcpy(Result, Block, Old < Size ? Old : Size);
  return Result;
}
