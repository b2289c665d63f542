//===- Secrets.h - Values that are not passed on ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_PROTOCOL_SECRETS_H
#define JOPT_PROTOCOL_SECRETS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include <string>

namespace jopt::protocol {

/// The names that mark secrets, in the order of the list.
llvm::ArrayRef<llvm::StringRef> secretWords();

/// \p Name, of a field, variable or member, is that of a secret: it contains
/// one of a list of words (`password`, `token`, ...), in any case, whatever
/// `_`, `-` and `.` are in it.
bool namesSecret(llvm::StringRef Name);

/// \p Text with `***` for each value behind the name of a secret, as
/// `password=x`, `"token": "x"` and `Authorization: Bearer x` have it.
std::string hideSecrets(llvm::StringRef Text);

/// Does so in all texts of \p Value, and to the members that such names have.
void hideSecrets(llvm::json::Value &Value);

} // namespace jopt::protocol

#endif
