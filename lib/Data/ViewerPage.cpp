//===- ViewerPage.cpp - A page for all that is recorded -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableSink.h"
#include "jopt/Data/Viewer.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Path.h"
#include <libdeflate.h>
#include <memory>

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace json = llvm::json;

/// Viewer.html.
static constexpr uint8_t ViewerHTML[] = {
#include "jopt/Data/Viewer.inc"
};

static constexpr StringRef DataMark = "@DATA@\n";

void ViewerColumn::add(std::optional<int64_t> Value) {
  assert(Kind == Number);
  Values.push_back(Value);
}

void ViewerColumn::add(StringRef Value) {
  assert(Kind == Text);
  if (Value.empty()) {
    Values.push_back(std::nullopt);
    return;
  }
  auto [I, IsNew] = Numbers.try_emplace(Value, uint32_t(Words.size()));
  if (IsNew)
    Words.push_back(I->getKey());
  Values.push_back(I->second);
}

std::string ViewerColumn::text(size_t Row) const {
  const std::optional<int64_t> Value = Values[Row];
  if (!Value)
    return "";
  return Kind == Text ? Words[size_t(*Value)].str() : std::to_string(*Value);
}

Expected<ViewerPage> ViewerPage::create(StringRef Folder,
                                        std::vector<std::string> Inputs) {
  if (Error E = makeFolder(Folder))
    return E;
  llvm::SmallString<128> Path(Folder);
  llvm::sys::path::append(Path, "index.html");
  auto File = StagedFile::create(Path);
  if (!File)
    return File.takeError();
  ViewerPage Page(std::move(*File));
  Page.Inputs = std::move(Inputs);
  const auto [Before, After] = toStringRef(Bytes(ViewerHTML)).split(DataMark);
  Page.File.os() << Before;
  Page.After = After;
  return Page;
}

void ViewerPage::about(const Run &R) {
  if (!About.empty())
    return;
  Start = R.start();
  About = json::fixUTF8(("Java " + R.get("java") + ", run " + R.id()).str());
}

/// Writes \p Content as an element of its own: base64 of zlib's format, which a
/// browser unpacks when somebody looks at it.
int64_t ViewerPage::block(StringRef Content) {
  struct Free {
    void operator()(libdeflate_compressor *C) const {
      libdeflate_free_compressor(C);
    }
  };
  const std::unique_ptr<libdeflate_compressor, Free> C(
      libdeflate_alloc_compressor(6));
  std::string Packed(libdeflate_zlib_compress_bound(C.get(), Content.size()),
                     0);
  Packed.resize(libdeflate_zlib_compress(
      C.get(), Content.data(), Content.size(), Packed.data(), Packed.size()));
  File.os() << "<script type=\"text/plain\" id=\"block" << NumBlocks << "\">"
            << llvm::encodeBase64(Packed) << "</script>\n";
  return NumBlocks++;
}

/// The values as an array of \p T, where \p None stands for none.
template <typename T>
static std::string packed(llvm::ArrayRef<std::optional<int64_t>> Values,
                          T None) {
  std::string Bytes;
  Bytes.reserve(Values.size() * sizeof(T));
  for (const std::optional<int64_t> &V : Values) {
    const T Value = V ? T(*V) : None;
    Bytes.append(reinterpret_cast<const char *>(&Value), sizeof(T));
  }
  return Bytes;
}

json::Value ViewerPage::column(const ViewerColumn &C) {
  json::Object O{{"title", json::fixUTF8(C.Title)}};
  if (!C.Role.empty())
    O["role"] = C.Role;
  if (!C.Unit.empty())
    O["unit"] = C.Unit;
  if (C.Role == "above")
    O["hidden"] = true;
  if (C.Kind == ViewerColumn::Text) {
    std::string Words;
    llvm::raw_string_ostream OS(Words);
    json::OStream J(OS);
    J.array([&] {
      J.value(nullptr);
      for (StringRef Word : llvm::ArrayRef(C.Words).drop_front())
        J.value(json::fixUTF8(Word));
    });
    O["array"] = "Text";
    O["block"] = block(packed<int32_t>(C.Values, 0));
    O["words"] = block(Words);
    return O;
  }
  // The narrowest array of JavaScript that has all values exactly.
  uint64_t Largest = 0;
  for (const std::optional<int64_t> &V : C.Values)
    if (V)
      Largest = std::max(Largest, *V < 0 ? 0 - uint64_t(*V) : uint64_t(*V));
  if (Largest <= INT32_MAX) {
    O["array"] = "Int32";
    O["block"] = block(packed<int32_t>(C.Values, INT32_MIN));
  } else if (Largest <= uint64_t(1) << 53) {
    O["array"] = "Float64";
    O["block"] = block(packed<double>(C.Values, NAN));
  } else {
    O["array"] = "BigInt64";
    O["block"] = block(packed<int64_t>(C.Values, INT64_MIN));
  }
  return O;
}

/// The beginning of \p T for a browser that runs no scripts.
void ViewerPage::describe(const ViewerTable &T, size_t Input) {
  constexpr size_t MostRows = 100;
  llvm::raw_string_ostream OS(Plain);
  auto Escaped = [&](StringRef Text) {
    llvm::printHTMLEscaped(json::fixUTF8(Text), OS);
  };
  const size_t Rows = T.Columns.empty() ? 0 : T.Columns[0].Values.size();
  OS << "<h2>";
  Escaped(T.Title);
  if (Inputs.size() > 1)
    Escaped(" (" + Inputs[Input] + ")");
  OS << "</h2>\n<p>" << Rows << (Rows == 1 ? " row" : " rows");
  if (Rows > MostRows)
    OS << ", of which these are the first " << MostRows;
  OS << "</p>\n<table><tr>";
  for (const ViewerColumn &C : T.Columns)
    if (C.Role != "above") {
      OS << "<th scope=\"col\">";
      Escaped(C.Title);
    }
  OS << "</tr>\n";
  for (size_t Row = 0; Row < std::min(Rows, MostRows); ++Row) {
    OS << "<tr>";
    for (const ViewerColumn &C : T.Columns)
      if (C.Role != "above") {
        OS << "<td>";
        Escaped(C.text(Row));
      }
    OS << "</tr>\n";
  }
  OS << "</table>\n";
}

void ViewerPage::add(ViewerTable T, size_t Input) {
  json::Array Columns;
  for (const ViewerColumn &C : T.Columns)
    Columns.push_back(column(C));
  json::Object O{{"title", json::fixUTF8(T.Title)},
                 {"group", T.Group},
                 {"input", int64_t(Input)},
                 {"rows", int64_t(T.Columns[0].Values.size())},
                 {"columns", std::move(Columns)}};
  if (T.Parent >= 0)
    O["parent"] = T.Parent;
  Tables.push_back(std::move(O));
  describe(T, Input);
}

void ViewerPage::addLines(StringRef Title, StringRef Text, size_t Input) {
  Lines.push_back(json::Object{{"title", json::fixUTF8(Title)},
                               {"block", block(Text)},
                               {"input", int64_t(Input)}});
}

Error ViewerPage::finish() {
  json::Array Names;
  for (const std::string &Input : Inputs)
    Names.push_back(json::fixUTF8(Input));
  std::string Model;
  llvm::raw_string_ostream(Model)
      << json::Value(json::Object{{"start", Start},
                                  {"about", About},
                                  {"inputs", std::move(Names)},
                                  {"tables", std::move(Tables)},
                                  {"lines", std::move(Lines)}});
  llvm::raw_ostream &OS = File.os();
  OS << "<script type=\"application/json\" id=\"model\">";
  // A script element ends at the first end tag, also in a string.
  for (char C : Model)
    C == '<' ? OS << "\\u003c" : OS << C;
  OS << "</script>\n<div class=\"plain\"><h1>jopt</h1>\n<p>";
  llvm::printHTMLEscaped(About, OS);
  OS << "</p>\n" << Plain << "</div>\n" << After;
  return File.keep();
}
