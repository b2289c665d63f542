//===- AdviceCalls.h - How a class calls its advices ------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Parts of the code of a class that calls advices.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_ADVICECALLS_H
#define JOPT_PASSES_ADVICECALLS_H

#include "jopt/Advice/Advice.h"
#include "jopt/Passes/ClassEditor.h"
#include "llvm/ADT/StringMap.h"

namespace jopt {

struct AdviceRunOptions;

/// The descriptor of the stub of \p A (AdviceBody::Stub).
std::string stubDescriptor(const Advice &A);

/// How one class calls the advices of a run. A service of PassContext; used by
/// one thread.
class AdviceCalls {
public:
  static ServiceKey Key;

  /// Adds itself to \p C. All must outlive it.
  AdviceCalls(PassContext &C, const ClassEditor &Editor,
              const AdviceRunOptions &O, const AdviceSet &Set);

  /// The advices of the run.
  const AdviceSet &set() const { return Set; }
  /// Advices are called by call sites, as the class need not see their classes
  /// (Dispatch::Indy).
  bool callsBySites() const { return CallsBySites; }
  /// Advice \p N is called by its stub: with Object for what the class need not
  /// see, and behind its own arguments the value that its result replaces, or
  /// the exception, and its token.
  bool callsStub(unsigned N) const {
    return CallsStubs && !Set.Advices[N].Body.Stub.empty();
  }
  /// Probes keep their values for the class outside of it (jopt.boot.Link).
  bool keepsStateAside() const { return CallsBySites || Editor.keepsSchema(); }
  /// The pool's entry for the method that advice \p N calls; added if it is
  /// not there. Not where it calls a stub.
  uint16_t bodyMethod(unsigned N);
  /// The same, 0 where nobody asked for it.
  uint16_t knownBodyMethod(unsigned N) const {
    return N < BodyMethods.size() ? BodyMethods[N] : 0;
  }
  /// The descriptor by which code of the class calls advice \p N: that of its
  /// method, with Object for what the class need not see.
  llvm::StringRef callDescriptor(unsigned N);
  /// The class file of a class whose methods advices call; empty if it is not
  /// known.
  Bytes findClass(llvm::StringRef InternalName) const;
  /// The bootstrap method \p Bind of \p Owner with the constants that \p Text
  /// is cut into, which it takes as an array: one and the same each time.
  llvm::Expected<uint16_t>
  bootstrap(llvm::StringRef Owner, llvm::StringRef Bind, llvm::StringRef Text);
  /// The pool shrank.
  void forgetPool() {
    BodyMethods.clear();
    if (Class.Pool.size() < BootstrapEnd.Pool ||
        Class.numAddedBootstrapMethods() < BootstrapEnd.Methods)
      Bootstrap.reset();
    Begins[0] = Begins[1] = {};
  }
  /// The code by which activations of a trace begin, in front of and behind
  /// the number of the event; of static methods, and of others.
  struct BeginCode {
    llvm::SmallVector<uint8_t, 8> Front, Behind;
    bool HasNumber = false; ///< it was made
    unsigned MaxStack = 0;
  };
  BeginCode &beginOfActivation(bool Static) { return Begins[Static]; }

private:
  ClassFile &Class;
  const ClassEditor &Editor;
  const llvm::StringMap<Bytes> *Classes;
  const AdviceSet &Set;
  const bool CallsBySites, CallsStubs;
  /// By advice, with CallsBySites; empty: not asked yet.
  std::vector<std::string> CallDescriptors;
  /// By advice; 0: not asked yet.
  llvm::SmallVector<uint16_t, 8> BodyMethods;
  std::optional<uint16_t> Bootstrap; ///< see bootstrap()
  /// The sizes of the tables when it was there: it stays as long as they have
  /// these. To find its constants again takes long.
  struct {
    unsigned Pool = 0, Methods = 0;
  } BootstrapEnd;
  BeginCode Begins[2];
};

} // namespace jopt

#endif
