//===- PropertiesFile.h - The list of TF annotations ---------- -*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The properties file that lists the TF annotations of a program. Programs
/// read it at run time (MethodMonitorRegistry.registerAnnotationFile).
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_TF_PROPERTIESFILE_H
#define JOPT_TF_PROPERTIESFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <ctime>
#include <string>
#include <vector>

namespace jopt::tf {

/// The prefix of the keys.
enum class KeyPrefix {
  GlassFish, ///< org.glassfish.tf
  ORB        ///< com.sun.corba.tf
};

/// The text of the file. \p Names are internal ones, written in this order with
/// dots; what is not ASCII is escaped. \p Time is written in UTC.
std::string printProperties(llvm::ArrayRef<std::string> Names, KeyPrefix Prefix,
                            time_t Time);

/// The names in \p Text, internal, in the order of their numbers; keys of
/// either prefix. An error if the size is missing or wrong, or a key is missing
/// or there twice.
llvm::Expected<std::vector<std::string>> parseProperties(llvm::StringRef Text);

/// The file at \p Path says just that, apart from its date.
bool isUpToDate(llvm::StringRef Path, llvm::ArrayRef<std::string> Names,
                KeyPrefix Prefix);

/// The internal names that \p Item stands for: `a.b.Name`, or `@FILE`, a
/// properties file.
llvm::Expected<std::vector<std::string>>
readAnnotationNames(llvm::StringRef Item);

/// Writes the file at \p Path unless it says the same already, apart from its
/// date; then it is not opened for writing. The date is that of
/// SOURCE_DATE_EPOCH, if that is set, else now. The file appears whole or not
/// at all. True if it was written.
llvm::Expected<bool> updateProperties(llvm::StringRef Path,
                                      llvm::ArrayRef<std::string> Names,
                                      KeyPrefix Prefix);

} // namespace jopt::tf

#endif
