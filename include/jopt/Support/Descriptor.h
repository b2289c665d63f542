//===- Descriptor.h - An open file that closes itself -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_SUPPORT_DESCRIPTOR_H
#define JOPT_SUPPORT_DESCRIPTOR_H

#include <unistd.h>
#include <utility>

namespace jopt {

/// A file descriptor that is closed with its owner. A value that moves.
class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int FD) : FD(FD) {}
  Descriptor(Descriptor &&Other) noexcept : FD(std::exchange(Other.FD, -1)) {}
  Descriptor &operator=(Descriptor &&Other) noexcept {
    std::swap(FD, Other.FD);
    return *this;
  }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() {
    if (FD >= 0)
      ::close(FD);
  }
  int get() const { return FD; }
  /// Whoever calls this closes it.
  int release() { return std::exchange(FD, -1); }
  explicit operator bool() const { return FD >= 0; }

private:
  int FD = -1;
};

} // namespace jopt

#endif
