//===- InfoCalls.h - Who may call info methods ---------------- -*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Finds uses of info methods where stage 1 cannot rewrite them.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_TF_INFOCALLS_H
#define JOPT_LIB_TF_INFOCALLS_H

#include "jopt/TF/ClassData.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace jopt::tf {

/// Whether an info method may have this code: nothing but a return. True if
/// there is none.
bool isEmptyBody(const ClassFile &Class, const Method &M);

/// Calls \p Report for every method of \p Class that is not monitored and calls
/// an info method of the class, in order, once each; and with null if a method
/// reference or a lambda's handle names an info method.
void findIllegalInfoCalls(const ClassFile &Class, const ClassData &Data,
                          llvm::function_ref<void(const Method *)> Report);

} // namespace jopt::tf

#endif
