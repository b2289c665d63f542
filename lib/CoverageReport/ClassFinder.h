//===- ClassFinder.h - The class files that were recorded -------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Finds the class files of recorded classes, for data that can be read only
/// with them.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_COVERAGEREPORT_CLASSFINDER_H
#define JOPT_LIB_COVERAGEREPORT_CLASSFINDER_H

#include "jopt/Archive/Containers.h"
#include "jopt/Data/Coverage.h"
#include "jopt/IR/Model/ClassFile.h"
#include <map>
#include <mutex>

namespace jopt::coverage {

/// Recorded classes by their ids.
using RecordedClasses = std::multimap<uint64_t, data::CoveredClass>;

/// Those of \p Runs whose strategy \p Wants.
llvm::Expected<RecordedClasses>
readRecorded(llvm::ArrayRef<data::Run> Runs,
             llvm::function_ref<bool(const data::CoveredClass &)> Wants,
             data::LeftOut Tell);

/// Finds the class file of each. From one thread at a time it calls find.
class ClassFinder : public ContainerClient {
public:
  ClassFinder(const RecordedClasses &Ran, data::LeftOut Tell)
      : Ran(Ran), Tell(Tell) {}

  /// Looks at \p Classes (folders, archives, class files). Tells which were
  /// recorded and are not there.
  llvm::Error run(llvm::ArrayRef<std::string> Classes);

protected:
  /// Handles the class \p F, which one or several runs \p Recorded. \p Ordinal
  /// grows in the order of the inputs.
  virtual llvm::Error find(const ClassFile &F,
                           llvm::ArrayRef<const data::CoveredClass *> Recorded,
                           uint64_t Ordinal) = 0;
  const data::LeftOut &tell() const { return Tell; }

private:
  llvm::Expected<EntryResult> transform(const EntryInfo &E,
                                        Bytes Data) override;
  llvm::Error unreadable(const EntryInfo &, llvm::Error Why) override;

  const RecordedClasses &Ran;
  const data::LeftOut Tell;
  std::mutex Lock;
  std::map<uint64_t, bool> Seen;
};

} // namespace jopt::coverage

#endif
