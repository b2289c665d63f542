//===- Model.cpp - Probekit documents -------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Probes/Probekit/Model.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;
using namespace jopt::probekit;

static const FragmentTypeInfo FragmentTypes[] = {
    {"entry", false, AdviceKind::Entry},
    {"exit", false, AdviceKind::Exit},
    {"catch", false, std::nullopt},
    {"beforeCall", true, std::nullopt},
    {"afterCall", true, std::nullopt},
    {"staticInitializer", false, std::nullopt},
    {"executableUnit", false, std::nullopt},
};

namespace {
/// Bits for DataTypeInfo::AllowedIn.
enum : uint8_t {
  En = 1 << unsigned(FragmentType::Entry),
  Ex = 1 << unsigned(FragmentType::Exit),
  Ca = 1 << unsigned(FragmentType::Catch),
  BC = 1 << unsigned(FragmentType::BeforeCall),
  AC = 1 << unsigned(FragmentType::AfterCall),
  SI = 1 << unsigned(FragmentType::StaticInitializer),
  EU = 1 << unsigned(FragmentType::ExecutableUnit),
};
} // namespace

static const DataTypeInfo DataTypes[] = {
    {"returnedObject", "java.lang.Object", Ex | AC, DataItem::ReturnedObject},
    {"exceptionObject", "java.lang.Throwable", Ex | Ca | AC,
     DataItem::ExceptionObject},
    {"className", "java.lang.String", En | Ex | Ca | BC | AC | SI | EU,
     DataItem::ClassName},
    {"methodName", "java.lang.String", En | Ex | Ca | BC | AC | SI | EU,
     DataItem::MethodName},
    {"methodSig", "java.lang.String", En | Ex | Ca | BC | AC | SI | EU,
     DataItem::MethodSig},
    {"thisObject", "java.lang.Object", En | Ex | Ca | BC | AC | EU,
     DataItem::ThisObject},
    {"args", "java.lang.Object[]", En | Ex | Ca | BC | AC | EU, DataItem::Args},
    {"isFinally", "boolean", Ca, std::nullopt},
    {"staticField", "", En | Ex | Ca | SI | EU, std::nullopt},
    {"classSourceFile", "java.lang.String", En | Ex | Ca | SI | EU,
     std::nullopt},
    {"methodNames", "java.lang.String", En | Ex | Ca | SI | EU, std::nullopt},
    {"methodLineTables", "java.lang.String", En | Ex | Ca | SI | EU,
     std::nullopt},
    {"methodNumber", "int", En | Ex | Ca | SI | EU, std::nullopt},
    {"executableUnitNumber", "int", Ca | EU, std::nullopt},
    {"numPreviousUnits", "int", EU, std::nullopt},
};

const FragmentTypeInfo &probekit::getInfo(FragmentType T) {
  return FragmentTypes[unsigned(T)];
}

const DataTypeInfo &probekit::getInfo(DataType T) {
  return DataTypes[unsigned(T)];
}

template <typename Enum, typename Table>
static std::optional<Enum> find(const Table &Rows, llvm::StringRef Name) {
  for (auto [Index, Row] : llvm::enumerate(Rows))
    if (Row.Name == Name)
      return Enum(Index);
  return std::nullopt;
}

std::optional<FragmentType> probekit::findFragmentType(llvm::StringRef Name) {
  return find<FragmentType>(FragmentTypes, Name);
}

std::optional<DataType> probekit::findDataType(llvm::StringRef Name) {
  return find<DataType>(DataTypes, Name);
}

unsigned probekit::countCharacters(llvm::StringRef Text) {
  return unsigned(
      llvm::count_if(Text, [](char C) { return (uint8_t(C) & 0xc0) != 0x80; }));
}

Position Position::after(llvm::StringRef Text) const {
  Position P = *this;
  if (unsigned Lines = unsigned(Text.count('\n'))) {
    P.Line += Lines;
    P.Column = 1;
    Text = Text.rsplit('\n').second;
  }
  P.Column += countCharacters(Text);
  return P;
}

Position SourceText::getEnd() const {
  if (Pieces.empty())
    return Where;
  const Piece &Last = Pieces.back();
  return Last.Literal
             ? Last.Where.after(llvm::StringRef(Text).drop_front(Last.Offset))
             : Last.Where;
}

llvm::StringRef ProbeElement::getCommentName() const {
  for (const LocalText &N : Names)
    if (!N.Text.empty())
      return N.Text;
  return "unnamed_probe";
}
