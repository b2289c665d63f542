//===- Traces.h - The events of one run -------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The events that traced classes recorded: each event with the activation that
/// it belongs to, in the order of each thread, and between threads by time.
/// Read one chunk of a thread at a time, whose bytes docs/DataFormat.md
/// describes.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_DATA_TRACES_H
#define JOPT_DATA_TRACES_H

#include "jopt/Data/Run.h"
#include "jopt/Trace/Declarations.h"
#include <map>

namespace jopt::data {

/// A class that was traced.
struct TracedClass {
  trace::ClassDeclarations Declared;
  /// For each method the number in the class of its first event, and how many
  /// there are at the end.
  std::vector<uint32_t> FirstEvents;
  /// The method of each event.
  std::vector<uint32_t> Methods;
  /// Of methods that told paths instead of events.
  std::map<uint32_t, trace::Paths> Paths;

  const trace::Event &event(uint32_t Number) const {
    const uint32_t M = Methods[Number];
    return Declared.Methods[M].Events[Number - FirstEvents[M]];
  }
  const trace::Kind &kind(uint32_t Number) const {
    return Declared.Kinds[event(Number).Kind];
  }
  /// As in "fact(I)I".
  std::string method(uint32_t Number) const;
};

/// A thread that told events.
struct TracedThread {
  uint32_t Number = 0; ///< from 1 on, in the order in which they came
  int64_t Id = 0;      ///< Thread.getId()
  std::string Name;
  bool IsVirtual = false;
};

/// A call of a method, while it lasts.
struct Activation {
  uint32_t Class = 0;        ///< in Traces::classes()
  uint32_t MethodNumber = 0; ///< in its declarations
  bool HasHost = false;
  int32_t Host = 0;   ///< the identity hash of `this`
  int32_t Depth = -1; ///< frames of the JVM, if asked for
  uint32_t Last = 0;  ///< its last event so far
};

/// One event, as long as it is being looked at.
struct TracedEvent {
  const TracedThread *Thread = nullptr;
  const TracedClass *Class = nullptr;
  const Activation *Of = nullptr;
  /// The activation's place among those of the thread, from 1 on.
  uint32_t Level = 0;
  uint32_t Number = 0;      ///< in the class
  int32_t Milliseconds = 0; ///< since the run's start
  int32_t Opened = 0;       ///< when the guard was opened last
  bool IsEnter = false;     ///< Of has just begun
  bool IsReturn = false;    ///< Of ends with it
  bool HasObject = false, HasValue = false, IsArray = false;
  int32_t Object = 0; ///< the identity hash of a field's owner, or of an array
  int32_t Value = 0;  ///< the same for a stored value or an array's element
  int32_t Index = 0;
  uint32_t Length = 0;
  /// No event: what Of was given. Number is that of its enter event.
  bool IsArguments = false;
  /// Of arguments that are references, of Of or of the call that this is: what
  /// Traces::typeName() takes. Empty if that is not told.
  llvm::ArrayRef<uint32_t> Types;
};

/// The events of a run. Not thread-safe.
class Traces {
public:
  /// Opens the traces of \p R, which must live as long; calls \p Tell for what
  /// it leaves out.
  static llvm::Expected<Traces> open(const Run &R, LeftOut Tell);

  const Run &run() const { return *R; }
  /// In the order in which they were declared.
  llvm::ArrayRef<TracedClass> classes() const { return Classes; }
  bool empty() const { return Streams.empty() && Classes.empty(); }
  /// Classes were traced, but nothing opened the guard.
  bool isUnopened() const { return Streams.empty() && !Classes.empty(); }

  /// Calls \p Use with each event, until it says that it is enough; also with
  /// the arguments of activations, if asked for.
  llvm::Error forEachEvent(LeftOut Tell,
                           llvm::function_ref<bool(const TracedEvent &)> Use,
                           bool WithArguments = false) const;

  /// The binary name of the class of an argument; "?" if it is not known, empty
  /// for null.
  llvm::StringRef typeName(uint32_t Type) const;

private:
  friend class TraceMerger;
  explicit Traces(const Run &R) : R(&R) {}

  struct Part {
    uint32_t Number = 0, Sequence = 0;
    int64_t Time = 0;
    ChunkPlace Place;
  };
  struct Method {
    uint32_t Class = 0, Event = 0;
  };
  bool define(const EventView &E, LeftOut Tell);
  void addClass(uint32_t Number, llvm::StringRef Text, LeftOut Tell);

  const Run *R;
  std::vector<TracedClass> Classes;
  /// By the numbers of the record.
  std::map<uint32_t, uint32_t> ClassNumbers;
  std::map<uint32_t, Method> Methods;
  std::map<uint32_t, std::string> Strings;
  /// The beginnings of texts.
  std::map<uint32_t, std::string> Texts;
  std::map<uint32_t, std::vector<Part>> Streams;
};

} // namespace jopt::data

#endif
