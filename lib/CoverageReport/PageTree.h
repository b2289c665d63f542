//===- PageTree.h - The pages of a report and their names -------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_COVERAGEREPORT_PAGETREE_H
#define JOPT_LIB_COVERAGEREPORT_PAGETREE_H

#include "PageParts.h"

namespace jopt::coverage {

/// The pages of a bundle, by what they show. Their links are paths below the
/// folder of the report. The bundle must outlive it.
class PageTree {
public:
  struct Package {
    const PackageCounters &Counters;
    PageLink Page;
    unsigned Depth; ///< of all its pages
    std::vector<PageLink> Classes, Sources;
    /// By class: the number of its source file; None if it names none.
    std::vector<size_t> SourceOf;

    /// Where a method is shown: its line, or its row on the page of the class.
    std::string linkTo(size_t Class, const MethodCounters &M) const;
  };
  struct Module {
    PageLink Page; ///< of one module alone, the first page
    const CounterSet &Counted;
    std::vector<Package> Packages;
  };
  static constexpr size_t None = SIZE_MAX;

  explicit PageTree(const Bundle &B);

  bool hasModules() const { return HasModules; }
  llvm::ArrayRef<Module> modules() const { return Modules; }
  /// Calls \p Use with each class that has instructions.
  void forEachClass(
      llvm::function_ref<void(const Package &, size_t Class)> Use) const;

private:
  bool HasModules;
  std::vector<Module> Modules;
};

/// The id of the row of \p M on the page of its class.
std::string methodId(const MethodCounters &M);

} // namespace jopt::coverage

#endif
