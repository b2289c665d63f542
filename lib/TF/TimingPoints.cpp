//===- TimingPoints.cpp - The timers of a program -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/TF/TimingPoints.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/JavaNames.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/StringMap.h"
#include <set>

using namespace jopt;
using namespace jopt::tf;
using llvm::StringRef;
using llvm::Twine;

/// The class name without its package; `$` stays.
static StringRef simpleName(StringRef Internal) {
  return Internal.drop_front(Internal.rfind('/') + 1); // npos + 1 is 0
}

std::vector<unsigned> TimingPoints::sorted() const {
  std::vector<unsigned> Order;
  Order.reserve(Points.size());
  for (unsigned I = 0; I < Points.size(); ++I)
    Order.push_back(I);
  auto ByName = [&](unsigned A, unsigned B) {
    return Points[A].Name < Points[B].Name;
  };
  std::sort(Order.begin(), Order.begin() + NumTimers, ByName);
  std::sort(Order.begin() + NumTimers, Order.end(), ByName);
  return Order;
}

namespace {
class Maker {
public:
  Maker(StringRef Class, const AnnotationSet &Known,
        llvm::ArrayRef<ClassData> Classes)
      : Class(Class), Known(Known), Classes(Classes) {}
  llvm::Expected<TimingPoints> run();

private:
  void checkClassName();
  void makeTimers();
  void makeGroups();
  void fillGroups();
  void error(const Twine &Message) {
    Errors = llvm::joinErrors(std::move(Errors), makeError(Message));
  }

  const StringRef Class; ///< dotted
  const AnnotationSet &Known;
  const llvm::ArrayRef<ClassData> Classes;
  TimingPoints T;
  llvm::StringMap<unsigned> Timers; ///< by name
  llvm::StringMap<unsigned> Groups; ///< by the annotation's internal name
  llvm::Error Errors = llvm::Error::success();
};
} // namespace

/// An accessor of that name would be another method of Object.
static bool isMethodOfObject(StringRef Name) {
  return llvm::is_contained<StringRef>({"clone", "finalize", "getClass",
                                        "hashCode", "notify", "notifyAll",
                                        "toString", "wait"},
                                       Name);
}

void Maker::checkClassName() {
  llvm::SmallVector<StringRef> Parts;
  Class.split(Parts, '.');
  if (!llvm::all_of(Parts, [](StringRef Part) {
        return isJavaIdentifier(Part) && !isJavaKeyword(Part);
      }))
    error("'" + toDisplayUTF8(Class) + "' is not a valid Java class name");
}

void Maker::makeTimers() {
  for (const ClassData &C : Classes)
    for (const NameEntry &E : C.Names) {
      if (E.Type == TimingType::None)
        continue;
      std::string Name = (simpleName(C.Name) + "__" + E.TimingName).str();
      if (!Timers.try_emplace(Name, T.Points.size()).second)
        continue;
      if (!isJavaIdentifier(Name))
        error("Class " + toDisplayUTF8(C.Name) + ": the name of its timer " +
              toDisplayUTF8(Name) + " is not a valid Java identifier");
      T.Points.push_back({std::move(Name), E.Description});
    }
  T.NumTimers = unsigned(T.Points.size());
}

void Maker::makeGroups() {
  std::string Factory = Class.substr(Class.rfind('.') + 1).str();
  llvm::StringMap<std::string> Users; // simple name -> whose it is
  Users[Factory] = "the class " + Class.str();
  T.Points.push_back({Factory, Factory});
  for (const std::string &Name : Known.names()) {
    std::string Simple = simpleName(Name).str();
    std::string Who = "the annotation " + Name;
    Groups[Name] = unsigned(T.Points.size());
    T.Points.push_back({Simple, Known.find(Name)->Description});
    auto [It, IsNew] = Users.try_emplace(Simple, Who);
    if (!IsNew)
      error("the timer group " + toDisplayUTF8(Simple) + " would stand for " +
            toDisplayUTF8(It->second) + " and for " + toDisplayUTF8(Who));
    if (Timers.count(Simple))
      error("the timer group " + toDisplayUTF8(Simple) +
            " has the name of a timer");
    if (!isJavaIdentifier(Simple) || isJavaKeyword(Simple) ||
        isMethodOfObject(Simple))
      error("the name of the timer group " + toDisplayUTF8(Simple) +
            " is not a valid Java identifier for a field with an accessor");
  }
}

void Maker::fillGroups() {
  std::set<std::pair<unsigned, unsigned>> Contents;
  for (unsigned I = 0; I < T.Points.size(); ++I)
    Contents.insert({T.NumTimers, I}); // the factory
  for (const ClassData &C : Classes)
    for (const NameEntry &E : C.Names) {
      if (E.Type == TimingType::None)
        continue;
      unsigned Timer = Timers[(simpleName(C.Name) + "__" + E.TimingName).str()];
      // Info methods have no annotation of their own.
      for (unsigned K = 0; K < C.Annotations.size(); ++K)
        if (E.Holder < 0 || unsigned(E.Holder) == K)
          Contents.insert({Groups[C.Annotations[K]], Timer});
    }
  for (const std::string &Name : Known.names())
    for (const std::string &Sub : Known.find(Name)->SubGroups) {
      auto It = Groups.find(Sub);
      if (It != Groups.end())
        Contents.insert({Groups[Name], It->second});
      else
        error("the group of the annotation " + toDisplayUTF8(Name) +
              " contains " + toDisplayUTF8(Sub) +
              ", which is not among the inputs: " +
              toDisplayUTF8(simpleName(Sub)) +
              " is not a valid Timer or TimerGroup name");
    }
  T.Contents.assign(Contents.begin(), Contents.end());
}

llvm::Expected<TimingPoints> Maker::run() {
  T.Class = Class.str();
  std::replace(T.Class.begin(), T.Class.end(), '.', '/');
  checkClassName();
  makeTimers();
  makeGroups();
  fillGroups();
  if (Errors)
    return std::move(Errors);
  return std::move(T);
}

llvm::Expected<TimingPoints>
tf::makeTimingPoints(StringRef Class, const AnnotationSet &Known,
                     llvm::ArrayRef<ClassData> Classes) {
  return Maker(Class, Known, Classes).run();
}
