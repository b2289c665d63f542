//===- ClassEditor.h - Changes to the members of a class --------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Changes that passes make to a class besides the bodies of its methods.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_CLASSEDITOR_H
#define JOPT_PASSES_CLASSEDITOR_H

#include "jopt/Passes/Pass.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace jopt {

/// The changes that passes may make to the members of a class.
enum class SchemaPolicy : uint8_t {
  Change, ///< add fields and methods
  Keep,   ///< nothing that RetransformClasses refuses
};

/// Adds members to a class and takes them away, and says how it is to be
/// written. A service of PassContext; used by one thread.
class ClassEditor {
public:
  static ServiceKey Key;

  /// Edits the class of \p C, and adds itself to \p C, which must outlive it.
  ClassEditor(PassContext &C, SchemaPolicy Schema)
      : C(C), Class(C.classFile()), Schema(Schema) {
    C.add(*this);
  }

  /// The schema of the class must stay: no field and no method is added.
  bool keepsSchema() const { return Schema == SchemaPolicy::Keep; }
  /// A new field, behind all others.
  Field &addField(uint16_t Access, llvm::StringRef Name,
                  llvm::StringRef Descriptor);
  /// A new method with an empty Body, behind all others. The advices of methods
  /// do not select it.
  Method &addMethod(uint16_t Access, llvm::StringRef Name,
                    llvm::StringRef Descriptor);
  /// addMethod made \p M.
  bool isAdded(const Method &M) const { return Added.contains(&M); }
  /// Takes the last methods of the class, from number \p From on, away again.
  void dropMethods(size_t From);

  /// The class cannot do without what happens to \p M. If a pass or lowering
  /// fails on it, it has another attempt (Attempt::Required); if that fails
  /// too, the class is left alone.
  void require(const Method &M) { Required.insert(&M); }
  /// The same of \p M, whose header or body a class pass has changed.
  void requireChange(Method &M) {
    M.Changed = true;
    require(M);
  }
  bool isRequired(const Method &M) const { return Required.contains(&M); }

  /// The written class must be encoded from the model, nothing copied.
  void encodeAll() { EncodeAll = true; }
  bool encodesAll() const { return EncodeAll; }
  /// Drops unused entries from the ends of the tables of the written class
  /// (jopt::trimPool).
  void trimPool() { TrimPool = true; }
  bool trimsPool() const { return TrimPool; }
  /// The written class is to have no entry of the pool that nothing refers to
  /// (jopt::collectPool).
  void collectPool() { CollectPool = true; }
  bool collectsPool() const { return CollectPool; }
  /// The written methods are to have none of the attributes \p Names of Code.
  void dropCodeAttributes(llvm::ArrayRef<llvm::StringLiteral> Names) {
    Dropped = Names;
  }
  /// Written methods that crossed a limit of HotSpot have a remark of the pass
  /// at work.
  void remarkLimits() { LimitPass = C.pass(); }
  /// The pass that asked for that; null if none did.
  const PassInfo *limitPass() const { return LimitPass; }
  /// Does what was asked for when nobody reads the methods any more.
  void finish();

private:
  PassContext &C;
  ClassFile &Class;
  const SchemaPolicy Schema;
  bool EncodeAll = false;
  bool TrimPool = false, CollectPool = false;
  const PassInfo *LimitPass = nullptr;
  llvm::ArrayRef<llvm::StringLiteral> Dropped;
  llvm::SmallPtrSet<const Method *, 2> Added, Required;
};

} // namespace jopt

#endif
