//===- Recorded.h - What jopt's own coverage recorded -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The covered classes of a data folder as JaCoCo would have them.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGEREPORT_RECORDED_H
#define JOPT_COVERAGEREPORT_RECORDED_H

#include "jopt/Coverage/CoverageData.h"
#include "jopt/Data/Run.h"

namespace jopt::coverage {

/// Adds the covered classes of \p R to \p To: which of JaCoCo's probes follow
/// from what they recorded. The run is a session, whose times are both that of
/// its start. Calls \p Tell for data that is damaged, or of a strategy from
/// which probes do not follow, and leaves it out.
llvm::Error addRun(const data::Run &R, CoverageData &To, data::LeftOut Tell);

} // namespace jopt::coverage

#endif
