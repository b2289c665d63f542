//===- JavaSource.h - Java of probes ----------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Checked documents to Java source, with a map from places in the source back
/// to places in the XML; and to advices that call what the source declares.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PROBES_PROBEKIT_JAVASOURCE_H
#define JOPT_PROBES_PROBEKIT_JAVASOURCE_H

#include "jopt/Probes/Probekit/Model.h"

namespace jopt::probekit {

/// A compilation unit. Refers to the documents it was made from, which must
/// outlive it.
struct JavaSource {
  /// From here on, up to the next mark, the text is from \p Where.
  struct Mark {
    unsigned Line;   ///< in Text, from 1
    unsigned Column; ///< bytes, from 0
    const Document *Doc;
    Position Where;
    bool Literal; ///< lines and columns advance with the text
  };

  std::string ClassName; ///< `<prefix>_probe`, without package
  std::string Text;      ///< UTF-8
  std::vector<Mark> Marks;
  std::vector<size_t> LineStarts; ///< offsets in Text, of line 1 and so on

  /// The XML place of a place in Text: \p Line from 1, \p Column in UTF-16
  /// units from 0 (as javac's marker line counts them). A place in text that
  /// jopt itself wrote is taken to be that of the XML before it, or the file if
  /// there is none.
  Location locate(unsigned Line, unsigned Column) const;
};

/// What the generated classes are like.
struct JavaOptions {
  std::string Package; ///< dotted; empty: the unnamed package
  /// What a fragment throws stays in it.
  bool Isolate = false;
  /// No fragment runs while one runs on the same thread.
  bool GuardRecursion = false;

  /// Probed classes call the fragments through methods that do this.
  bool wraps() const { return Isolate || GuardRecursion; }
  /// The package as the start of an internal name: "a/b/" or "".
  std::string folder() const;
};

/// One source per class prefix, in the order of first use: the prefix is the
/// file's name (see makeClassPrefix), and files with the same one share an
/// outer class, as the probekits of one compilation did in the original.
/// Probes are numbered per outer class, in document order. One more source has
/// what switches and wrapped fragments share.
std::vector<JavaSource> generateJava(llvm::ArrayRef<Document> Docs,
                                     const JavaOptions &Options);

/// `jopt.probes.p` and 16 hexadecimal digits of a hash over the sources. Equal
/// probes get equal names, wherever their files lie; different ones can be put
/// into the same program. The package in \p Options does not count.
std::string makePackageName(llvm::ArrayRef<Document> Docs, JavaOptions Options);

/// The nested classes of the probes, one for each, by their internal names.
std::vector<std::string> getProbeClasses(llvm::ArrayRef<Document> Docs,
                                         const JavaOptions &Options);

/// The class beside those of the probes, in their package, with what switches
/// and wrapped fragments share.
constexpr llvm::StringLiteral RuntimeClass = "jopt_probes";

/// Names in the class of a probe: of the method that makes an object for its
/// static field (by its result the class of the field is known), of the class
/// in it with the methods that wrap fragments, and of the methods that say
/// whether it is switched on and switch it.
constexpr llvm::StringLiteral StaticFieldMaker = "probekit$newStaticField";
constexpr llvm::StringLiteral WrapperClass = "probekit$Calls";
constexpr llvm::StringLiteral SwitchGetter = "isEnabled";
constexpr llvm::StringLiteral SwitchSetter = "setEnabled";

/// Appends the probes of \p Doc, compiled to \p Classes, and their advices, in
/// the order of the file, to \p Set. They call the methods which generateJava
/// declares. Names of classes that the document gives are taken to be of
/// top-level classes, written in full; javac knows better.
void appendAdvices(AdviceSet &Set, const Document &Doc,
                   llvm::ArrayRef<std::string> Classes,
                   const JavaOptions &Options);

/// Those of all \p Docs.
AdviceSet makeAdvices(llvm::ArrayRef<Document> Docs,
                      const JavaOptions &Options);

/// \name What the methods of fragments are like
/// @{
/// Its parameters: the data items in canonical order.
std::vector<const Data *> getParameters(const Fragment &F);
/// What becomes of its result.
ResultUse getResultUse(const ProbeElement &P, const Fragment &F);
/// The type of its result, as written in Java.
llvm::StringRef getResultType(const ProbeElement &P, const Fragment &F);
/// The type of the parameter for \p D, as written in Java.
llvm::StringRef getJavaType(const ProbeElement &P, const Data &D);
/// Its probe has a switch, and the method (the wrapper, where there is one)
/// asks it: the data items cost nothing that the host could save by asking. So
/// the host has nothing but the call, and the advice no switch.
bool asksSwitch(const ProbeElement &P, const Fragment &F);
/// Its wrapper needs the returned value, which it does not have.
bool wrapperAddsValue(const ProbeElement &P, const Fragment &F);
/// @}

/// Refuses what cannot be the name of a package, or is one of the JDK's.
llvm::Error checkPackageName(llvm::StringRef Package);

} // namespace jopt::probekit

#endif
