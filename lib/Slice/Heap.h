//===- Heap.h - Objects as a trace tells them apart -------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Fields, elements and statics, with the executions that wrote them.
///
/// An object that traced code makes is known by where it was made, and
/// wherever the reference goes in traced code. One that comes out of other code
/// is known by its identity hash only, once an event tells that; two objects
/// may have the same.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_SLICE_HEAP_H
#define JOPT_LIB_SLICE_HEAP_H

#include "Dependences.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <optional>

namespace jopt::slice {

/// An object or array. 0: none, null, or not known.
using ObjectId = uint32_t;

/// What a slot holds: which execution made it, and what it refers to.
struct SliceValue {
  NodeId Node = 0;
  ObjectId Object = 0;
};

/// The last write to a field or an element.
struct Definition {
  SliceValue Value;
  uint32_t Thread = 0;
};

/// All objects of a run.
class Heap {
public:
  explicit Heap(Dependences &D) : D(D) {}

  /// An object that \p Birth makes; \p Exact if that is traced code. \p Class
  /// is its name as in class files, empty if unknown.
  ObjectId create(NodeId Birth, bool Exact, llvm::StringRef Class);
  /// The trace says that the identity hash of \p O is \p Hash (0: null). Calls
  /// \p Tell for each doubt, with the place where another object was made.
  ObjectId identify(ObjectId O, int32_t Hash,
                    llvm::function_ref<void(Doubt::KindTy, NodeId)> Tell);
  /// Its hash, if it is known; 0 else.
  int32_t hash(ObjectId O) const { return Objects[find(O)].Hash; }
  /// Traced code made it, so what it wrote is all that is in it.
  bool isExact(ObjectId O) const { return O && Objects[find(O)].Exact; }
  void setInexact(ObjectId O) { Objects[find(O)].Exact = false; }
  NodeId birth(ObjectId O) const { return Objects[find(O)].Birth; }
  llvm::StringRef className(ObjectId O) const {
    return O ? Objects[find(O)].Class : llvm::StringRef();
  }

  /// \name Contents. Keys are numbers of fields, or indices
  /// @{
  void putField(ObjectId O, uint32_t Field, Definition Def) {
    put(Fields, O, Field, Def);
  }
  void putElement(ObjectId O, uint32_t Index, Definition Def);
  llvm::SmallVector<Definition, 1> field(ObjectId O, uint32_t Field) const {
    return get(Fields, O, Field);
  }
  llvm::SmallVector<Definition, 1> element(ObjectId O, uint32_t Index) const {
    return get(Elements, O, Index);
  }
  /// Of the class, object 0.
  void putStatic(uint32_t Field, Definition Def) { Fields[{0, Field}] = Def; }
  std::optional<Definition> getStatic(uint32_t Field) const;
  /// @}

  /// Code that is not traced had \p O, and may have put anything into it.
  void setOpaque(ObjectId O, NodeId N);
  /// What such code did with it last; 0 if there is none.
  NodeId opaque(ObjectId O) const { return O ? Objects[find(O)].Opaque : 0; }
  /// All that traced code put into the elements of \p O.
  NodeId elements(ObjectId O) const {
    return O ? Objects[find(O)].Elements : 0;
  }

private:
  using Contents = llvm::DenseMap<std::pair<ObjectId, uint32_t>, Definition>;
  struct Object {
    NodeId Birth = 0, Opaque = 0, Elements = 0;
    int32_t Hash = 0;
    ObjectId Same = 0; ///< what it turned out to be
    bool Exact = false;
    llvm::StringRef Class;
  };

  ObjectId find(ObjectId O) const {
    while (Objects[O].Same)
      O = Objects[O].Same;
    return O;
  }
  llvm::ArrayRef<ObjectId> mayBe(const ObjectId &O) const;
  void put(Contents &To, ObjectId O, uint32_t Key, Definition Def);
  llvm::SmallVector<Definition, 1> get(const Contents &From, ObjectId O,
                                       uint32_t Key) const;

  Dependences &D;
  std::vector<Object> Objects = {{}};
  std::unordered_map<int32_t, llvm::SmallVector<ObjectId, 1>> ByHash;
  /// Of objects that may be one of several.
  std::map<ObjectId, llvm::SmallVector<ObjectId, 2>> Candidates;
  Contents Fields, Elements;
};

} // namespace jopt::slice

#endif
