//===- SharedPlaces.h - Files where others may have put theirs -*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Opens files in places where another user may have put a link, a pipe, a
/// device, a file of his own or a very big one (/tmp, /proc, folders of a
/// program), and checks what was opened, not its name. docs/Security.md has the
/// rules. Any thread; errors name the file.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_SUPPORT_SHAREDPLACES_H
#define JOPT_SUPPORT_SHAREDPLACES_H

#include "jopt/Support/Descriptor.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <sys/types.h>

namespace jopt {

/// Whether links that somebody may have put there are followed.
enum class Links { Follow, Refuse };

/// What a file has to be in order to be read.
struct ReadRule {
  size_t Limit;                              ///< in bytes
  Links OfFile = Links::Follow;              ///< the last part of the path
  std::optional<uid_t> Owner = std::nullopt; ///< who it has to belong to
};

/// The content of the regular file \p Path. Never waits, as for a pipe, and
/// opens no device.
llvm::Expected<std::string> readRegular(const std::string &Path,
                                        const ReadRule &Rule);

/// The content of the regular file \p Found, which may be open with O_PATH;
/// \p Name is for errors.
llvm::Expected<std::string> readRegular(const Descriptor &Found,
                                        llvm::StringRef Name,
                                        const ReadRule &Rule);

/// Opens the regular file \p Path for reading, as readRegular() does.
llvm::Expected<Descriptor> openRegular(const std::string &Path,
                                       Links OfFile = Links::Follow);

/// Finds \p Path, open with O_PATH, over links of this user and of root only: a
/// process of root's that is given the name of somebody's folder must not be
/// led to what only root may read. A file with several names is refused in a
/// folder of somebody else.
llvm::Expected<Descriptor> findNamed(llvm::StringRef Path);

/// Opens \p Path to write at its end, and makes it with mode 0600 if it is not
/// there. A file that is there has to be this user's with one name, and nobody
/// else may write to it; a link has to be this user's or root's. Devices, and
/// pipes of this user, pass.
llvm::Expected<Descriptor> openOwn(llvm::StringRef Path);

/// Makes \p Path, which is not there, with mode 0600, and opens it for writing.
llvm::Expected<Descriptor> createOwn(const std::string &Path);

/// Writes all of \p Text to \p To, whose name \p Path is for errors.
llvm::Error writeAll(const Descriptor &To, llvm::StringRef Text,
                     llvm::StringRef Path);

/// Gives what openOwn() opens the content \p Text: a file is made anew with
/// mode 0600, whole or not at all.
llvm::Error replaceOwn(llvm::StringRef Path, llvm::StringRef Text);

/// Who else may do what in a folder of one's own.
enum class FolderRule {
  Private,  ///< nobody may look into it
  OwnWrites ///< nobody else may write to it
};

/// Makes \p Folder with mode 0700, or checks that the one that is there is this
/// user's and keeps \p Rule.
llvm::Error makeOwnFolder(llvm::StringRef Folder, FolderRule Rule);

/// Checks that nobody else can replace what this user makes in \p Folder: it is
/// his or root's, and others cannot write there or have a sticky folder. Its
/// group counts as trusted.
llvm::Error checkOutputFolder(llvm::StringRef Folder);

/// The file that writing to \p Path would change, behind all links: it can be
/// replaced by another. Nothing if there is something else, such as a pipe, a
/// device or an open descriptor (/dev/stdout): openThrough() opens it. A
/// folder is an error, and a link of somebody else in a folder like /tmp.
llvm::Expected<std::optional<std::string>>
replaceableFile(llvm::StringRef Path);

/// Opens for writing what is no replaceable file.
llvm::Expected<Descriptor> openThrough(llvm::StringRef Path);

/// \p Name, with slashes, cannot leave a folder that it is appended to: it has
/// no empty part, no `.`, no `..` and no zero byte. Names in class files may.
bool staysBelow(llvm::StringRef Name);

} // namespace jopt

#endif
