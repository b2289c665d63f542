//===- FlightChunk.cpp - A file of the JDK Flight Recorder ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlightChunk.h"
#include "llvm/ADT/StringMap.h"

using namespace jopt;
using namespace jopt::data;
using llvm::StringRef;

static constexpr uint64_t MetadataEvent = 0, ConstantsEvent = 1, FirstType = 20;
static constexpr size_t HeaderSize = 68;

void FlightValues::number(uint64_t Value) {
  // Seven bits a byte, least first; a ninth byte has eight.
  for (unsigned I = 0; I < 8; ++I) {
    if (Value < 0x80) {
      Data.push_back(uint8_t(Value));
      return;
    }
    Data.push_back(uint8_t(Value) | 0x80);
    Value >>= 7;
  }
  Data.push_back(uint8_t(Value));
}

void FlightValues::string(std::optional<StringRef> Text) {
  enum { Null, Empty, Reference, UTF8 };
  if (!Text || Text->empty()) {
    Data.push_back(Text ? Empty : Null);
    return;
  }
  Data.push_back(UTF8);
  number(Text->size());
  Data.append(Text->begin(), Text->end());
}

/// An element of the description of types: a name, attributes, elements.
struct FlightChunk::Element {
  std::string Name;
  std::vector<std::pair<std::string, std::string>> Attributes;
  std::vector<Element> Elements;
};

FlightChunk::FlightChunk(llvm::raw_pwrite_stream &OS, int64_t Start)
    : OS(OS), Start(Start) {
  OS.write_zeros(HeaderSize);
  for (const char *Name : {"boolean", "int", "long", "java.lang.String"})
    addType({Name});
  const std::string Annotation = "java.lang.annotation.Annotation";
  addType({"jdk.jfr.ContentType", Annotation});
  for (const char *Name : {"Label", "Timestamp", "Timespan"})
    addType({std::string("jdk.jfr.") + Name,
             Annotation,
             {{"value", "java.lang.String"}},
             {},
             Name[0] == 'T'});
}

uint64_t FlightChunk::addType(FlightType T) {
  const uint64_t Id = FirstType + Types.size();
  Numbers[T.Name] = Id;
  Types.push_back(std::move(T));
  return Id;
}

void FlightChunk::write(uint64_t Id, Bytes Payload) {
  FlightValues Type;
  Type.number(Id);
  const size_t Rest = Type.data().size() + Payload.size();
  // The size counts its own bytes.
  FlightValues Size;
  size_t Own = 0;
  do {
    Size.clear();
    Size.number(Rest + ++Own);
  } while (Size.data().size() > Own);
  OS << jopt::toStringRef(Size.data()) << jopt::toStringRef(Type.data())
     << jopt::toStringRef(Payload);
}

void FlightChunk::event(uint64_t Id, Bytes Values) { write(Id, Values); }

uint64_t
FlightChunk::constant(const std::string &Type, const std::string &Key,
                      llvm::function_ref<void(FlightValues &)> Values) {
  {
    const Pool &P = Pools[Type];
    if (auto I = P.Numbers.find(Key); I != P.Numbers.end())
      return I->second;
  }
  // Making it may make others.
  FlightValues Own;
  Values(Own);
  Pool &P = Pools[Type];
  const uint64_t Number = P.Numbers.size() + 1;
  P.Numbers[Key] = Number;
  P.Values.number(Number);
  P.Values.append(Own.data());
  return Number;
}

void FlightChunk::writeConstants() {
  FlightValues V;
  V.number(0); // time
  V.number(0); // duration
  V.number(0); // no other before it
  V.boolean(false);
  V.number(Pools.size());
  for (const auto &[Type, P] : Pools) {
    V.number(Numbers[Type]);
    V.number(P.Numbers.size());
    V.append(P.Values.data());
  }
  write(ConstantsEvent, V.data());
}

FlightChunk::Element FlightChunk::describe(const FlightType &T,
                                           uint64_t Id) const {
  auto NumberOf = [&](const std::string &Name) {
    return std::to_string(Numbers.find(Name)->second);
  };
  auto Annotation = [&](const char *Name, const std::string &Value) {
    return Element{
        "annotation",
        {{"class", NumberOf(std::string("jdk.jfr.") + Name)}, {"value", Value}},
        {}};
  };
  Element E{"class", {{"id", std::to_string(Id)}, {"name", T.Name}}, {}};
  if (!T.Super.empty())
    E.Attributes.emplace_back("superType", T.Super);
  if (T.IsContent)
    E.Elements.push_back(Annotation("ContentType", ""));
  if (!T.Label.empty())
    E.Elements.push_back(Annotation("Label", T.Label));
  for (const FlightField &F : T.Fields) {
    Element Field{"field", {{"name", F.Name}, {"class", NumberOf(F.Type)}}, {}};
    if (F.IsReference)
      Field.Attributes.emplace_back("constantPool", "true");
    if (F.IsArray)
      Field.Attributes.emplace_back("dimension", "1");
    if (!F.Label.empty())
      Field.Elements.push_back(Annotation("Label", F.Label));
    if (!F.Time.empty())
      Field.Elements.push_back(Annotation(F.Time.c_str(), "TICKS"));
    E.Elements.push_back(std::move(Field));
  }
  return E;
}

void FlightChunk::writeTypes() {
  Element Metadata{"metadata", {}, {}};
  for (size_t I = 0; I < Types.size(); ++I)
    Metadata.Elements.push_back(describe(Types[I], FirstType + I));
  Element Region{"region", {{"locale", "en_US"}, {"gmtOffset", "0"}}, {}};
  const Element Root{"root", {}, {std::move(Metadata), std::move(Region)}};

  llvm::StringMap<uint32_t> Places;
  std::vector<std::string> Strings;
  FlightValues Tree;
  auto String = [&](const std::string &Text) {
    auto [I, IsNew] = Places.try_emplace(Text, uint32_t(Strings.size()));
    if (IsNew)
      Strings.push_back(Text);
    Tree.number(I->second);
  };
  auto Write = [&](auto &Self, const Element &E) -> void {
    String(E.Name);
    Tree.number(E.Attributes.size());
    for (const auto &[Key, Value] : E.Attributes) {
      String(Key);
      String(Value);
    }
    Tree.number(E.Elements.size());
    for (const Element &Inner : E.Elements)
      Self(Self, Inner);
  };
  Write(Write, Root);

  FlightValues V;
  V.number(0); // time
  V.number(0); // duration
  V.number(1); // which of the file's descriptions
  V.number(Strings.size());
  for (const std::string &S : Strings)
    V.string(S);
  V.append(Tree.data());
  write(MetadataEvent, V.data());
}

void FlightChunk::finish(int64_t End) {
  const uint64_t Constants = position();
  writeConstants();
  const uint64_t Metadata = position();
  writeTypes();
  ByteWriter W;
  W.bytes("FLR");
  W.u1(0);
  W.u2(2);
  W.u2(1);
  W.u8(position());
  W.u8(Constants);
  W.u8(Metadata);
  W.u8(uint64_t(Start));
  W.u8(uint64_t(std::max(End, Start) - Start));
  W.u8(0);          // ticks at the start
  W.u8(1000000000); // ticks a second
  W.u4(1);          // complete; numbers are compressed
  OS.pwrite(reinterpret_cast<const char *>(W.data().data()), W.size(), 0);
}
