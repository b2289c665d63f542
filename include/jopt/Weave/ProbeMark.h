//===- ProbeMark.h - Which probes a class has already -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Two attributes of classes that got probes: `Instrumented`, as the original
/// Probekit writes it (u2: the Utf8 "BCIEngProbe"), and `jopt.Probes` (u2:
/// count; u8 each: what identifies a probe). JVMs ignore both.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_WEAVE_PROBEMARK_H
#define JOPT_WEAVE_PROBEMARK_H

#include "jopt/Advice/Advice.h"
#include "jopt/IR/Model/ClassFile.h"
#include <optional>

namespace jopt {

/// By probe, what identifies it: a digest of its advices (what is called where
/// with what) and of its static field. Names and targets do not count: the same
/// calls twice in a method are what the mark is to prevent. \p Made, by probe,
/// stands for the packages of the classes that are called, if it is not empty.
std::vector<uint64_t> probeIdentities(const AdviceSet &Set,
                                      llvm::ArrayRef<std::string> Made = {});

/// The identities in the mark of \p F; none if it has no such mark.
std::optional<std::vector<uint64_t>> readProbeMark(const ClassFile &F);

/// The class has the attribute of the original Probekit.
bool isMarkedInstrumented(const ClassFile &F);

/// Adds \p Probes to the marks of \p F, those that are not there yet. Fails
/// where the constant pool is full.
llvm::Error addProbeMark(ClassFile &F, llvm::ArrayRef<uint64_t> Probes);

/// The probe class \p Data with a mark that says that jopt put it beside
/// classes that call it, and how: an empty attribute, `jopt.Woven:indy` where
/// it can be switched (ProbeControl.java).
llvm::Expected<llvm::SmallVector<uint8_t, 0>> markWoven(Bytes Data,
                                                        bool BySites);

} // namespace jopt

#endif
