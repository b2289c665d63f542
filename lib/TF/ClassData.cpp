//===- ClassData.cpp - What TF knows of a class ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/TF/ClassData.h"
#include "AnnotationValues.h"
#include "InfoCalls.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/TF/Program.h"
#include "llvm/ADT/StringSwitch.h"

using namespace jopt;
using namespace jopt::tf;
using llvm::StringRef;
using llvm::Twine;

StringRef tf::timingTypeName(TimingType T) {
  switch (T) {
  case TimingType::None:
    return "NONE";
  case TimingType::Both:
    return "BOTH";
  case TimingType::Enter:
    return "ENTER";
  case TimingType::Exit:
    return "EXIT";
  }
  llvm_unreachable("all are above");
}

std::string ClassData::holderField(unsigned K) {
  return HolderPrefix.str() + std::to_string(K);
}

namespace {

/// What the annotations of one method say.
struct MethodFacts {
  bool Info = false;
  std::optional<TimingType> Type; ///< none if it is not known
  std::string TimingName, Description, TracingName;
  int Holder = -1;
};

class Collector {
public:
  Collector(const ClassFile &Class, const Program &All)
      : Class(Class), All(All), Known(All.Annotations), P(All.Library),
        R(All.Checks) {}
  llvm::Expected<ClassData> run();

private:
  void readClassAnnotations();
  MethodFacts readMethod(const Method &M);
  void checkMethod(const Method &M, const MethodFacts &F);
  void checkInfo(const Method &M, const MethodFacts &F);
  void checkOverloads();
  void checkTracingNames();
  void nameMethods();
  void checkCalls();

  /// Javac copies annotations to the bridges it makes. The original counts
  /// these as overloads.
  bool isCopy(const Method &M) const {
    return R == Rules::Seed && M.is(ACC_BRIDGE) && M.is(ACC_SYNTHETIC);
  }
  bool isNamed(size_t I) const {
    return Data.Methods[I].Kind == MethodKind::Info ||
           Data.Methods[I].Kind == MethodKind::Monitored;
  }
  std::string nameOf(size_t I) const {
    return R == Rules::PFL || Facts[I].TracingName.empty()
               ? Class.name(Class.Methods[I]).str()
               : Facts[I].TracingName;
  }
  /// `Method m()V for Class a/B`
  std::string subject(const Method &M) const {
    return "Method " +
           toDisplayUTF8((Class.name(M) + Class.descriptor(M)).str()) +
           " for Class " + toDisplayUTF8(Class.name());
  }
  void error(const Twine &Message) {
    Errors = llvm::joinErrors(std::move(Errors), makeError(Message));
  }
  /// What only the documents forbid.
  void stated(const Twine &Message) {
    if (R == Rules::Seed)
      error(Message);
    else
      Data.Warnings.push_back(Message.str());
  }

  const ClassFile &Class;
  const Program &All;
  const AnnotationSet &Known;
  const Packages &P;
  const Rules R;
  ClassData Data;
  std::vector<MethodFacts> Facts; ///< by method
  llvm::Error Errors = llvm::Error::success();
};

} // namespace

void Collector::readClassAnnotations() {
  Data.Enhanced = readLevel(Class, P);
  readAnnotations(Class.Pool, Class.Attributes, /*Invisible=*/false,
                  [&](const AnnotationValues &A) {
                    if (Known.contains(A.Type))
                      Data.Annotations.push_back(A.Type.str());
                  });
  llvm::sort(Data.Annotations);
}

MethodFacts Collector::readMethod(const Method &M) {
  MethodFacts F;
  F.Type = TimingType::None;
  StringRef Simple = Class.name();
  Simple = Simple.drop_front(Simple.rfind('/') + 1); // npos + 1 is 0
  F.Description =
      ("Timer for method " + Class.name(M) + " in class " + Simple).str();
  bool Stray = false;
  readAnnotations(
      Class.Pool, M.Attributes, /*Invisible=*/false,
      [&](const AnnotationValues &A) {
        if (A.Type == P.Description) {
          F.Description = A.text("value").str();
        } else if (A.Type == P.annotation("TracingName")) {
          F.TracingName = A.text("value").str();
        } else if (A.Type == P.annotation("InfoMethod")) {
          F.Info = true;
          F.TimingName = A.text("tpName").str();
          if (A.find("tpType"))
            F.Type =
                llvm::StringSwitch<std::optional<TimingType>>(A.text("tpType"))
                    .Case("NONE", TimingType::None)
                    .Case("BOTH", TimingType::Both)
                    .Case("ENTER", TimingType::Enter)
                    .Case("EXIT", TimingType::Exit)
                    .Default(std::nullopt);
        } else if (Known.contains(A.Type)) {
          auto It = llvm::lower_bound(Data.Annotations, A.Type);
          if (It == Data.Annotations.end() || *It != A.Type) {
            if (!Stray)
              error(subject(M) +
                    " has an MM annotation which is not on its class");
            Stray = true;
          } else if (F.Holder >= 0) {
            error(subject(M) + " has multiple MM annotations");
          } else {
            F.Holder = int(It - Data.Annotations.begin());
          }
        }
      });
  return F;
}

void Collector::checkInfo(const Method &M, const MethodFacts &F) {
  if (!M.is(ACC_PRIVATE))
    error(subject(M) + " is a non-private @InfoMethod, which is not allowed");
  if (M.is(ACC_STATIC))
    error(subject(M) + " is a static method, but must not be");
  if (!F.Type)
    error(subject(M) + " is an info method with an unknown timing point type");
  else if (*F.Type != TimingType::None && F.TimingName.empty())
    error(subject(M) + " is an info method with timing point type " +
          timingTypeName(*F.Type) + " but no tpName was specified");
  if (returnDescriptor(Class.descriptor(M)) != "V")
    stated(subject(M) + " is an info method, but its return type is not void");
  else if (Data.Enhanced == Level::None && // stage 1 has filled it
           !isEmptyBody(Class, M))
    stated(subject(M) + " is an info method, but its body is not empty");
}

void Collector::checkMethod(const Method &M, const MethodFacts &F) {
  if (F.Info && F.Holder >= 0)
    error(subject(M) + " has both @InfoMethod annotation and a MM annotation");
  if (Class.name(M) == "<init>") {
    if (F.Info)
      error(subject(M) +
            ": Constructors must not have an @InfoMethod annotations");
    if (F.Holder >= 0)
      error(subject(M) + ": Constructors must not have an MM annotation");
  } else if (F.Info) {
    checkInfo(M, F);
  }
}

/// Methods of one name are all info methods, all monitored, or all neither; and
/// where they are, each has a name of its own.
void Collector::checkOverloads() {
  std::map<StringRef, std::vector<size_t>> ByName;
  for (size_t I = 0; I < Class.Methods.size(); ++I) {
    const Method &M = Class.Methods[I];
    if (!isCopy(M) && !Class.name(M).starts_with("<"))
      ByName[Class.name(M)].push_back(I);
  }
  for (const auto &[Name, Indices] : ByName) {
    if (Indices.size() < 2)
      continue;
    bool Mixed = false, Unnamed = false;
    for (size_t I : Indices) {
      Mixed |= Data.Methods[I].Kind != Data.Methods[Indices[0]].Kind;
      Unnamed |= isNamed(I) && Facts[I].TracingName.empty();
    }
    std::string Who = "Methods " + toDisplayUTF8(Name) + " for Class " +
                      toDisplayUTF8(Class.name());
    if (Mixed)
      stated(Who + " are overloaded: all or none of them must be info methods, "
                   "or monitored");
    if (Unnamed)
      stated(Who + " are overloaded: each needs a @TracingName");
  }
}

void Collector::checkTracingNames() {
  std::map<std::string, size_t> Users;
  for (size_t I = 0; I < Class.Methods.size(); ++I) {
    if (!isNamed(I))
      continue;
    auto [It, IsNew] = Users.try_emplace(nameOf(I), I);
    const Method &M = Class.Methods[I], &Other = Class.Methods[It->second];
    // Overloads without a name have been reported.
    if (!IsNew && R == Rules::Seed &&
        !(Facts[I].TracingName.empty() && Class.name(M) == Class.name(Other)))
      error(subject(M) + " has the tracing name " + toDisplayUTF8(It->first) +
            " of " +
            toDisplayUTF8((Class.name(Other) + Class.descriptor(Other)).str()));
  }
}

void Collector::nameMethods() {
  for (size_t I = 0; I < Class.Methods.size(); ++I) {
    if (!isNamed(I))
      continue;
    const MethodFacts &F = Facts[I];
    bool Info = Data.Methods[I].Kind == MethodKind::Info;
    NameEntry E;
    E.Name = nameOf(I);
    E.Type = Info ? F.Type.value_or(TimingType::None) : TimingType::Both;
    E.TimingName = Info && E.Type != TimingType::None ? F.TimingName : E.Name;
    E.Description = F.Description;
    E.Holder = F.Holder;
    Data.Names.push_back(std::move(E));
  }
  // By the original's rules a name is there once for each of its methods, and
  // the last of these decides what all of them mean.
  llvm::stable_sort(Data.Names);
  for (size_t I = Data.Names.size(); I-- > 1;)
    if (Data.Names[I - 1].Name == Data.Names[I].Name)
      Data.Names[I - 1] = Data.Names[I];
  for (size_t I = 0; I < Class.Methods.size(); ++I)
    if (isNamed(I)) {
      NameEntry Key;
      Key.Name = nameOf(I);
      Data.Methods[I].Identifier =
          unsigned(llvm::lower_bound(Data.Names, Key) - Data.Names.begin());
      Data.Methods[I].Holder = unsigned(std::max(Facts[I].Holder, 0));
    }
}

void Collector::checkCalls() {
  std::string Where = toDisplayUTF8(Class.name());
  findIllegalInfoCalls(Class, Data, [&](const Method *M) {
    if (M)
      error("Method " +
            toDisplayUTF8((Class.name(*M) + Class.descriptor(*M)).str()) +
            " in class " + Where +
            " makes an illegal call to an @InfoMethod method");
    else
      error("Class " + Where +
            " has a method reference to an @InfoMethod method");
  });
  if (auto It = All.ForeignInfoCalls.find(Data.Name);
      It != All.ForeignInfoCalls.end())
    for (const std::string &Call : It->second)
      error(Call);
}

llvm::Expected<ClassData> Collector::run() {
  Data.Name = Class.name().str();
  if (Class.Access & (ACC_INTERFACE | ACC_ANNOTATION | ACC_MODULE)) {
    llvm::consumeError(std::move(Errors));
    return std::move(Data);
  }
  readClassAnnotations();
  for (const Method &M : Class.Methods) {
    MethodFacts F = isCopy(M) ? MethodFacts() : readMethod(M);
    checkMethod(M, F);
    MethodData D;
    D.Kind = Class.name(M) == "<clinit>" ? MethodKind::StaticInitializer
             : F.Info                    ? MethodKind::Info
             : F.Holder >= 0             ? MethodKind::Monitored
                                         : MethodKind::Normal;
    Data.Methods.push_back(D);
    Facts.push_back(std::move(F));
  }
  checkOverloads();
  checkTracingNames();
  nameMethods();
  checkCalls();
  if (Errors)
    return std::move(Errors);
  return std::move(Data);
}

llvm::Expected<ClassData> tf::collectClass(const ClassFile &Class,
                                           const Program &P) {
  return Collector(Class, P).run();
}
