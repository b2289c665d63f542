//===- AuditEntry.cpp - Who asked for what, and when
//----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Attach/AuditEntry.h"
#include "jopt/Agent/Telemetry/Log.h"
#include "jopt/Probes/Java/Fragments.h"
#include "jopt/Probes/ReadyProbes.h"
#include "jopt/Support/SharedPlaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SHA256.h"
#include <unistd.h>

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

/// "FILE (sha256 0123…)", as sha256sum counts; folders have none.
static std::string describeFile(StringRef File) {
  if (isNoProbeFile(File))
    return File.str();
  llvm::SmallString<128> Path(File);
  if (llvm::sys::fs::make_absolute(Path))
    return File.str();
  constexpr size_t Limit = size_t(256) << 20;
  auto Content = readRegular(Path.str().str(), {Limit});
  if (!Content) {
    llvm::consumeError(Content.takeError());
    return Path.str().str();
  }
  return (Path + " (sha256 " +
          llvm::toHex(llvm::SHA256::hash(toBytes(StringRef(*Content))),
                      /*LowerCase=*/true) +
          ")")
      .str();
}

AuditEntry::AuditEntry(JNIEnv *Jni, StringRef What, StringRef Options,
                       const Session *S)
    : Since(timeNow()), Options(Options.str()) {
  By = (What + " in thread " + threadNow() + "; the JVM's user is " +
        getProperty(Jni, "user.name").value_or("?") + " (" +
        llvm::Twine(::geteuid()) + ")")
           .str();
  if (!S)
    return;
  llvm::ListSeparator NextFile, NextName;
  for (StringRef File : S->options().Weave.Probes)
    Files += (StringRef(NextFile) + describeFile(File)).str();
  for (const Probe &P : S->bundle().Advices.Probes)
    Names += (StringRef(NextName) + P.Name).str();
}

std::string AuditEntry::line() const {
  std::string Text = By + "; options: " + Options;
  if (!Files.empty())
    Text += "; probes: " + Names + "; of " + Files;
  return Text;
}

void AuditEntry::describe(StatusLines &Status) const {
  Status.emplace_back("since", Since);
  Status.emplace_back("by", By);
  Status.emplace_back("options", Options);
  Status.emplace_back("files", Files);
  Status.emplace_back("names", Names);
}

std::string agent::describeParams(JNIEnv *Jni, const Session &S) {
  std::string Text;
  llvm::ListSeparator Next;
  for (const ProbeBundle::Param &P : S.bundle().Params) {
    auto Given = getProperty(Jni, (ParamProperty + P.Name).str());
    // Probes keep what they have where a property is none of the type.
    const bool Counts = Given && java::isParamValue(P.Type, *Given);
    Text +=
        (StringRef(Next) + P.Name + "=" + (Counts ? *Given : P.Value)).str();
  }
  return Text;
}
