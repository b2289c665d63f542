//===- NestCalls.cpp - Info methods that other classes call ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestCalls.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/TF/ClassData.h"
#include "llvm/ADT/StringSet.h"
#include <mutex>

using namespace jopt;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using Planner = llvm::function_ref<EntryPlan(const EntryInfo &)>;

static bool mayHaveNestmates(Bytes ClassFile) {
  StringRef Text = toStringRef(ClassFile);
  return Text.contains("NestHost") || Text.contains("NestMembers");
}

static std::string key(StringRef Owner, StringRef Name, StringRef Descriptor) {
  return (Owner + "." + Name + Descriptor).str();
}

namespace {
/// Reads only, and leaves complaints to the walk that enhances.
class NestmateScan : public ContainerClient {
public:
  explicit NestmateScan(Planner Plan) : Plan(Plan) {}
  EntryPlan plan(const EntryInfo &E) override { return Plan(E); }
  Expected<EntryResult> transform(const EntryInfo &E, Bytes Data) override {
    if (!mayHaveNestmates(Data) || !wants(Data))
      return EntryResult::unchanged();
    if (auto Class = readClass(Data))
      look(E, **Class);
    else
      llvm::consumeError(Class.takeError());
    return EntryResult::unchanged();
  }
  Error unreadable(const EntryInfo &, Error Why) override {
    llvm::consumeError(std::move(Why));
    return Error::success();
  }

protected:
  virtual bool wants(Bytes Data) const { return true; }
  virtual void look(const EntryInfo &E, const ClassFile &Class) = 0;
  std::mutex Lock;

private:
  const Planner Plan;
};

class InfoMethods : public NestmateScan {
public:
  InfoMethods(Planner Plan, const tf::Program &P) : NestmateScan(Plan), P(P) {}
  llvm::StringSet<> Keys;

protected:
  bool wants(Bytes Data) const override { return tf::mayUseTF(Data, P); }
  void look(const EntryInfo &, const ClassFile &Class) override {
    auto Data = tf::collectClass(Class, P);
    if (!Data) {
      llvm::consumeError(Data.takeError());
      return;
    }
    // The run that enhanced a class has looked at calls of its info methods.
    if (!Data->traced() || Data->Enhanced != tf::Level::None)
      return;
    std::lock_guard<std::mutex> Guard(Lock);
    for (size_t I = 0; I < Data->Methods.size(); ++I)
      if (Data->Methods[I].Kind == tf::MethodKind::Info)
        Keys.insert(key(Class.name(), Class.name(Class.Methods[I]),
                        Class.descriptor(Class.Methods[I])));
  }

private:
  const tf::Program &P;
};

class Callers : public NestmateScan {
public:
  Callers(Planner Plan, const llvm::StringSet<> &Keys)
      : NestmateScan(Plan), Keys(Keys) {}
  /// By caller: the owner of the method, and the message.
  std::map<uint64_t, std::vector<std::pair<std::string, std::string>>> Found;

protected:
  void look(const EntryInfo &E, const ClassFile &Class) override {
    for (unsigned I = 1; I < Class.Pool.size(); ++I) {
      MemberRef R = Class.Pool.member(I);
      if (!Class.Pool.has(I, CPTag::Methodref) || !R.valid() ||
          R.Owner == Class.name() ||
          !Keys.contains(key(R.Owner, R.Name, R.Descriptor)))
        continue;
      std::lock_guard<std::mutex> Guard(Lock);
      Found[E.Ordinal].push_back(
          {R.Owner.str(), "Class " + toDisplayUTF8(Class.name()) +
                              " makes an illegal call to the @InfoMethod "
                              "method " +
                              toDisplayUTF8((R.Name + R.Descriptor).str())});
    }
  }

private:
  const llvm::StringSet<> &Keys;
};
} // namespace

Error jopt::findForeignInfoCalls(const InputSet &In, tf::Program &P,
                                 const ProcessOptions &Options, Planner Plan) {
  InfoMethods Infos(Plan, P);
  if (Error E = processInputs(In, Infos, nullptr, Options))
    return E;
  if (Infos.Keys.empty())
    return Error::success();
  Callers Walk(Plan, Infos.Keys);
  if (Error E = processInputs(In, Walk, nullptr, Options))
    return E;
  for (auto &[Ordinal, Found] : Walk.Found)
    for (auto &[Owner, Text] : Found)
      P.ForeignInfoCalls[Owner].push_back(std::move(Text));
  return Error::success();
}
