//===- TestCoverage.cpp - Which tests reached what ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/CoverageReport/TestCoverage.h"
#include "jopt/Coverage/Plan.h"
#include "jopt/Coverage/Rules.h"
#include "jopt/Data/Coverage.h"
#include "jopt/Data/Tests.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/StringMap.h"
#include <numeric>

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::StringRef;

namespace {
/// A class of one run, and the sets of its elements that tests reached.
struct RunClass {
  const data::CoveredClass *Recorded = nullptr;
  ClassRules Rules; ///< empty: probes are elements
  TestCoverage::Class *To = nullptr;
  llvm::StringMap<uint32_t> Known; ///< elements as bytes: place in To->Sets
  bool IsUsable = false;
};

/// The classes of one run by the numbers of its record.
class RunClasses {
public:
  RunClasses(llvm::ArrayRef<data::CoveredClass> All,
             std::unordered_map<uint64_t, TestCoverage::Class> &To,
             std::unordered_map<std::string, unsigned> &Names,
             bool &MissesThrows, data::LeftOut Tell)
      : To(To), Names(Names), MissesThrows(MissesThrows), Tell(Tell) {
    for (const data::CoveredClass &C : All)
      Classes[C.Number].Recorded = &C;
  }

  /// Adds what \p Test reached, a piece at a time.
  void add(uint32_t Test, const data::RecordedTest &T) {
    std::map<uint32_t, std::string> Elements;
    for (const data::RecordedTest::Piece &P : T.Reached) {
      // Damaged data may name any element.
      auto Known = Classes.find(P.Class);
      if (Known == Classes.end() ||
          P.First >= Known->second.Recorded->Values.size()) {
        Tell("test " + toDisplayUTF8(T.Name) +
             ": a part of what it reached is of no class that is there");
        continue;
      }
      std::string &Own = Elements[P.Class];
      Own.resize(std::max(Own.size(), P.First / 8 + P.Bits.size()));
      for (size_t I = 0; I < P.Bits.size(); ++I)
        Own[P.First / 8 + I] |= char(P.Bits[I]);
    }
    for (const auto &[Number, Bits] : Elements) {
      RunClass &C = Classes.find(Number)->second;
      if (!open(C))
        continue;
      auto [Set, IsNew] = C.Known.try_emplace(Bits, 0);
      if (IsNew)
        Set->second = setOf(C, Bits);
      C.To->Reached.emplace_back(Test, Set->second);
    }
  }

private:
  /// Whether probes follow from what the class recorded; once told if not.
  bool open(RunClass &C) {
    if (C.To)
      return C.IsUsable;
    const data::CoveredClass &R = *C.Recorded;
    C.To = &To[R.Id];
    auto Refuse = [&](const llvm::Twine &Why) {
      Tell("class " + toDisplayUTF8(R.Name) + ": " + Why);
      return false;
    };
    if (!tellsOfProbes(R.Strategy))
      return Refuse("JaCoCo's probes do not follow from the strategy '" +
                    R.Strategy + "'");
    if (!R.Rules.empty()) {
      auto Rules = decodeRules(R.Rules, uint32_t(R.Values.size()));
      if (!Rules)
        return Refuse(toMessage(Rules.takeError()));
      C.Rules = std::move(*Rules);
    }
    const size_t Probes = R.Rules.empty() ? R.Values.size() : C.Rules.NumProbes;
    if (C.To->Sets.empty()) {
      C.To->Name = R.Name;
      ++Names[R.Name];
      C.To->NumProbes = unsigned(Probes);
      C.To->Sets.emplace_back(); // of a test that reached nothing
    }
    MissesThrows |= C.Rules.Rules.size() <= Probes;
    if (C.To->Name != R.Name || C.To->NumProbes != Probes)
      return Refuse("its id is that of another class, or it has another "
                    "number of probes");
    return C.IsUsable = true;
  }

  static uint32_t setOf(RunClass &C, StringRef Bits) {
    const size_t Count = C.Recorded->Values.size();
    std::vector<uint64_t> Raw(Count);
    for (size_t I = 0; I < std::min(Count, Bits.size() * 8); ++I)
      Raw[I] = uint8_t(Bits[I / 8]) >> I % 8 & 1;
    if (!C.Rules.Rules.empty())
      Raw = inflate(C.Rules.Rules, Raw);
    llvm::BitVector &Set = C.To->Sets.emplace_back(unsigned(Raw.size()));
    for (unsigned I = 0; I < Set.size(); ++I)
      if (Raw[I])
        Set.set(I);
    return uint32_t(C.To->Sets.size() - 1);
  }

  std::unordered_map<uint64_t, TestCoverage::Class> &To;
  std::unordered_map<std::string, unsigned> &Names;
  bool &MissesThrows;
  const data::LeftOut Tell;
  std::unordered_map<uint32_t, RunClass> Classes;
};
} // namespace

uint32_t TestCoverage::numberOf(StringRef Name) {
  auto [It, IsNew] = Numbers.try_emplace(Name.str(), uint32_t(Tests.size()));
  if (IsNew)
    Tests.push_back({Name.str()});
  return It->second;
}

Error TestCoverage::add(const data::Run &R, data::LeftOut Tell) {
  auto Recorded = data::readCoverage(R, Tell);
  if (!Recorded)
    return Recorded.takeError();
  RunClasses Own(*Recorded, Classes, Names, MissesThrows, Tell);
  return forEachTest(R, Tell, [&](const data::RecordedTest &T) {
    const uint32_t Number = numberOf(T.Name);
    Tests[Number].IsAround |= T.IsAround;
    Tests[Number].HasEnded |= T.HasEnded;
    Tests[Number].IsShared |= T.IsShared;
    if (T.HasEnded)
      Own.add(Number, T);
    return Error::success();
  });
}

void TestCoverage::finish() {
  std::vector<uint32_t> Order(Tests.size()), Place(Tests.size());
  std::iota(Order.begin(), Order.end(), 0);
  llvm::sort(Order, [&](uint32_t A, uint32_t B) {
    return Tests[A].Name < Tests[B].Name;
  });
  std::vector<Test> Sorted;
  for (uint32_t Old : Order) {
    Place[Old] = uint32_t(Sorted.size());
    Numbers[Tests[Old].Name] = Place[Old];
    Sorted.push_back(std::move(Tests[Old]));
  }
  Tests = std::move(Sorted);
  for (auto &[Id, C] : Classes)
    for (auto &[Test, Set] : C.Reached)
      Test = Place[Test];
}

const TestCoverage::Class *TestCoverage::find(uint64_t Id) const {
  auto It = Classes.find(Id);
  return It == Classes.end() || It->second.Sets.empty() ? nullptr : &It->second;
}
