//===- FlightChunk.h - A file of the JDK Flight Recorder --------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Writes one chunk of format 2.1 that the JDK's tools read: events first, then
/// what they refer to, then what their types are. Types are declared with their
/// fields, and values are written in that order.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_DATA_FLIGHTCHUNK_H
#define JOPT_LIB_DATA_FLIGHTCHUNK_H

#include "jopt/Support/Bytes.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace jopt::data {

/// The values of an event or a constant, one after the other.
class FlightValues {
public:
  void number(uint64_t Value);
  void boolean(bool Value) { Data.push_back(Value); }
  /// UTF-8; none is null.
  void string(std::optional<llvm::StringRef> Text);

  Bytes data() const { return Data; }
  void clear() { Data.clear(); }
  void append(Bytes More) { Data.append(More.begin(), More.end()); }

private:
  llvm::SmallVector<uint8_t, 128> Data;
};

/// A field of a type.
struct FlightField {
  std::string Name;
  std::string Type;         ///< the name of a type that is declared
  bool IsReference = false; ///< values are numbers of constants
  bool IsArray = false;
  std::string Label = {}; ///< what people call it; empty for none
  /// "Timestamp" or "Timespan" in ticks, which are nanoseconds; else empty.
  std::string Time = {};
};

/// A type of events, of constants, or of values.
struct FlightType {
  std::string Name;
  std::string Super = {};
  std::vector<FlightField> Fields = {};
  std::string Label = {};
  bool IsContent = false; ///< an annotation that says what a field's values are
};

/// Not thread-safe.
class FlightChunk {
public:
  /// Writes at \p OS, which is at the beginning of a file; times count from
  /// \p Start, in nanoseconds since 1970.
  FlightChunk(llvm::raw_pwrite_stream &OS, int64_t Start);

  /// Adds a type, with a number of its own.
  uint64_t addType(FlightType T);

  /// Writes an event of the type \p Id.
  void event(uint64_t Id, Bytes Values);

  /// The number of the constant of type \p Type that \p Key stands for; if it
  /// is new, its values are those of \p Values.
  uint64_t constant(const std::string &Type, const std::string &Key,
                    llvm::function_ref<void(FlightValues &)> Values);

  /// Writes the rest. \p End is the time of the last event's end.
  void finish(int64_t End);

private:
  struct Element;
  void write(uint64_t Id, Bytes Payload);
  void writeConstants();
  void writeTypes();
  Element describe(const FlightType &T, uint64_t Id) const;
  uint64_t position() const { return OS.tell(); }

  struct Pool {
    std::map<std::string, uint64_t> Numbers;
    FlightValues Values;
  };

  llvm::raw_pwrite_stream &OS;
  int64_t Start;
  std::vector<FlightType> Types;
  std::map<std::string, uint64_t> Numbers; ///< types by name
  std::map<std::string, Pool> Pools;       ///< constants by type
};

} // namespace jopt::data

#endif
