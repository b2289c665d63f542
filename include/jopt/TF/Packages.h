//===- Packages.h - Where a TF library lives ------------------ -*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The tracing facility has lived in several packages. Everything that reads or
/// writes names of its library takes them from here.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_TF_PACKAGES_H
#define JOPT_TF_PACKAGES_H

#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace jopt::tf {

/// Whose rules a class follows.
enum class Rules {
  Seed, ///< what the documents state, all of it checked
  PFL   ///< what the original tool does: more is let through, with a warning
};

/// The names of one library, all internal (with '/').
struct Packages {
  std::string Annotation;  ///< package of MethodMonitorGroup, InfoMethod, ...
  std::string Runtime;     ///< package of MethodMonitorRegistry, ...
  std::string Holder;      ///< class of the holders
  std::string Description; ///< annotation that describes methods
  std::string Timer;       ///< package of Timer, TimerGroup, TimerFactory
  /// The original's: classes are registered by reflection, there are no lean
  /// monitors, and Timer, TimerGroup and TimerFactory are interfaces. Else the
  /// classes make their holders and name their methods themselves, as must be
  /// in named modules.
  bool Original = false;

  /// org.glassfish.pfl.tf.spi
  static Packages pfl();
  /// com.sun.corba.se.spi.orbutil.tf
  static Packages orb();
  /// jopt.tf
  static Packages jopt();
  /// One of "pfl", "orb" and "jopt", or the dotted name of a package in which
  /// everything lies as in jopt.tf; one that ends in spi.orbutil.tf is laid out
  /// as that of the ORB.
  static llvm::Expected<Packages> named(llvm::StringRef Name);
  /// The library whose annotations are in \p Package, an internal name.
  static std::optional<Packages> ofAnnotations(llvm::StringRef Package);

  /// The short name, or the package with dots: what named() understands.
  std::string name() const;

  /// Internal name of an annotation of the library.
  std::string annotation(llvm::StringRef Simple) const;
  /// Internal name of a class of the library.
  std::string runtime(llvm::StringRef Simple) const;
  /// By which classes are checked if nobody says otherwise.
  Rules rules() const { return Original ? Rules::PFL : Rules::Seed; }
  /// The suffix that stage 1 gives the parameters of info methods.
  std::string infoSuffix() const;
};

} // namespace jopt::tf

#endif
