//===- JavaSource.h - Java of probes ----------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Fragments to Java source, with a map from places in the source back to
/// places in their files; and to advices that call what the source declares.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PROBES_JAVA_JAVASOURCE_H
#define JOPT_PROBES_JAVA_JAVASOURCE_H

#include "jopt/Probes/Java/Fragments.h"

namespace jopt::java {

/// A compilation unit. Refers to the files it was made from, which must outlive
/// it.
struct JavaSource {
  /// From here on, up to the next mark, the text is from \p Where.
  struct Mark {
    unsigned Line;   ///< in Text, from 1
    unsigned Column; ///< bytes, from 0
    const SourceFile *File;
    Position Where;
    bool Literal; ///< lines and columns advance with the text
  };

  std::string ClassName; ///< `<prefix>_probe`, without package
  std::string Text;      ///< UTF-8
  std::vector<Mark> Marks;
  std::vector<size_t> LineStarts; ///< offsets in Text, of line 1 and so on

  /// A place in a probe file; File is null if there is none.
  struct Place {
    const SourceFile *File = nullptr;
    Position Where;
  };
  /// The place in a probe file of a place in Text: \p Line from 1, \p Column in
  /// UTF-16 units from 0 (as javac's marker line counts them). Text that jopt
  /// itself wrote takes its place from the text before it, or from the file if
  /// there is none.
  Place locate(unsigned Line, unsigned Column) const;
};

/// Options for the generated classes.
struct JavaOptions {
  std::string Package; ///< dotted; empty: the unnamed package
  /// Fragments catch their own exceptions.
  bool Isolate = false;
  /// No fragment runs while one runs on the same thread.
  bool GuardRecursion = false;
  /// Fragments count their events (EventCount).
  bool CountEvents = false;
  /// False for the text of which the package gets its name. What is the same
  /// for all probes is not in it, so that names stay from version to version.
  bool Named = true;

  /// Probed classes call the fragments through methods that do this.
  bool wraps() const { return Isolate || GuardRecursion || CountEvents; }
  /// The throws clause of a fragment's method: it may throw anything, as
  /// bytecode may.
  llvm::StringRef throws() const {
    return Named ? " throws java.lang.Throwable" : "";
  }
  /// The package as the start of an internal name: "a/b/" or "".
  std::string folder() const;
};

/// One source per class prefix, in the order of first use: the prefix is the
/// file's name (see makeClassPrefix), and files with the same one share an
/// outer class, as the probekits of one compilation did in the original.
/// Probes are numbered per outer class, in the order of the files. One more
/// source has what switches and wrapped fragments share.
std::vector<JavaSource> generateJava(llvm::ArrayRef<SourceFile> Files,
                                     const JavaOptions &Options);

/// `jopt.probes.p` and 16 hexadecimal digits of a hash over the sources. Equal
/// probes get equal names, wherever their files lie; different ones can be put
/// into the same program. The package in \p Options does not count.
std::string makePackageName(llvm::ArrayRef<SourceFile> Files,
                            JavaOptions Options);

/// Gives each probe the name of its class, as generateJava declares it.
void nameClasses(llvm::MutableArrayRef<SourceFile> Files,
                 const JavaOptions &Options);

/// \name Names in the class of a probe
/// The first three behind Format::Prefix: of the method that makes an object
/// for its static field (by its result the class of the field is known), of the
/// one that reads its parameters anew, which that of the same name of
/// RuntimeClass has all probes do, and of the class in it with the methods that
/// wrap fragments. The others are of the methods that say whether it is
/// switched on and switch it.
/// @{
constexpr llvm::StringLiteral StaticFieldMaker = "newStaticField";
constexpr llvm::StringLiteral WrapperClass = "Calls";
constexpr llvm::StringLiteral SwitchGetter = "isEnabled";
constexpr llvm::StringLiteral SwitchSetter = "setEnabled";
/// @}

/// Appends the probes of \p File, whose classes have names, and their advices,
/// in the order of the file, to \p Set. They call the methods which
/// generateJava declares. Names of classes that the file gives are taken to be
/// of top-level classes, written in full; javac knows better.
void appendAdvices(AdviceSet &Set, SourceFile &File,
                   const JavaOptions &Options);

/// \name What the methods of fragments are like
/// @{
/// Its probe has a switch, and the method (the wrapper, where there is one)
/// asks it: the data items cost nothing that the host could save by asking. So
/// the host has nothing but the call, and the advice no switch.
bool asksSwitch(const GeneratedClass &P, const Fragment &F);
/// The same of what says whether it runs (Fragment::Condition); else an advice
/// of its own is asked.
bool asksCondition(const Fragment &F);
/// Its wrapper needs the returned value, which it does not have.
bool wrapperAddsValue(const Fragment &F);
/// @}

/// Refuses what cannot be the name of a package, or is one of the JDK's.
llvm::Error checkPackageName(llvm::StringRef Package);

} // namespace jopt::java

#endif
