//===- TraceCTF.cpp - Traces in the Common Trace Format -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A folder as version 1.8 of the format describes it: a file of packets for
/// each thread, and `metadata`, which says what is in them. Names of methods
/// and operands stand there once, as labels of enumerations. All fields are
/// whole bytes, little-endian, without padding.
///
//===----------------------------------------------------------------------===//

#include "jopt/Data/TraceFilter.h"
#include "jopt/Data/TracePrint.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Leftovers.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/Support/Temporary.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {
/// What a packet begins with.
constexpr uint32_t PacketMagic = 0xc1fc1fc1;
/// Bytes of events after which a packet ends.
constexpr size_t PacketSize = 1 << 14;
/// Where the packet's context has its sizes: behind magic number, stream and
/// two times.
constexpr size_t SizesAt = 4 + 4 + 8 + 8;

/// Numbers in the order of bytes that is said in the metadata.
class Fields {
public:
  template <typename T> void add(T N) {
    char Bytes[sizeof(T)];
    llvm::support::endian::write<T, llvm::endianness::little>(Bytes, N);
    Text.append(Bytes, sizeof(T));
  }
  template <typename T> void set(size_t At, T N) {
    llvm::support::endian::write<T, llvm::endianness::little>(&Text[At], N);
  }
  std::string Text;
};

/// Names, numbered from 0 on in the order in which they come.
class Labels {
public:
  uint32_t number(const std::string &Name) {
    auto [I, IsNew] = Known.try_emplace(Name, uint32_t(Names.size()));
    if (IsNew)
      Names.push_back(Name);
    return I->second;
  }
  void print(StringRef Type, llvm::raw_ostream &OS) const;

private:
  llvm::StringMap<uint32_t> Known;
  std::vector<std::string> Names;
};

/// The fields that an event has besides its context.
enum class Shape : uint8_t { Plain, Field, Array };

/// What a thread has told since its last packet.
struct Track {
  TracedThread Thread;
  std::string Path;
  Fields Events;
  int64_t First = 0, Last = 0;
};

class CTFWriter {
public:
  CTFWriter(const Traces &T, StringRef Folder)
      : T(T), Folder(Folder.str()), Classes(T.classes().size()) {}
  Error write(LeftOut Tell);

private:
  /// Of a declared event: which one it is in the metadata, and its labels.
  struct Row {
    bool IsKnown = false;
    uint16_t Event = 0;
    uint32_t Method = 0, Operands = 0;
  };
  /// An event of the metadata.
  struct Kind {
    std::string Name;
    Shape Has;
    bool HasOperands;
  };

  void add(const TracedEvent &E);
  const Row &row(const TracedEvent &E);
  Error flush(Track &Of);
  Error writeMetadata();

  const Traces &T;
  const std::string Folder;
  std::vector<std::vector<Row>> Classes;
  std::vector<Kind> Kinds;
  llvm::StringMap<uint16_t> KindNumbers;
  Labels Methods, Operands;
  std::map<uint32_t, Track> Tracks;
  /// That of the event at work.
  Track *Now = nullptr;
};
} // namespace

/// \p S as it stands between quotes in the metadata.
static std::string quotedCTF(StringRef S) {
  std::string Text;
  for (char C : S) {
    if (C == '"' || C == '\\')
      Text += '\\';
    Text += uint8_t(C) < 0x20 ? ' ' : C;
  }
  return Text;
}

void Labels::print(StringRef Type, llvm::raw_ostream &OS) const {
  OS << "typealias enum : uint32_t {\n";
  for (size_t I = 0; I < Names.size(); ++I)
    OS << "  \"" << quotedCTF(Names[I]) << "\" = " << I << ",\n";
  // There must be one.
  OS << "  \"[none]\" = " << UINT32_MAX << "\n} := " << Type << ";\n";
}

const CTFWriter::Row &CTFWriter::row(const TracedEvent &E) {
  std::vector<Row> &Rows = Classes[E.Of->Class];
  if (Rows.empty())
    Rows.resize(E.Class->Methods.size());
  Row &R = Rows[E.Number];
  if (R.IsKnown)
    return R;
  R.IsKnown = true;
  const trace::ClassDeclarations &D = E.Class->Declared;
  const trace::MethodDeclaration &M = D.Methods[E.Of->MethodNumber];
  R.Method = Methods.number(displayName(*E.Class, E.Of->MethodNumber) +
                            toDisplayUTF8(D.Strings[M.Descriptor]));
  const trace::Event &Declared = E.Class->event(E.Number);
  const trace::Kind &K = D.Kinds[Declared.Kind];
  std::string Text;
  for (size_t I = 0; I < K.Operands.size(); ++I) {
    const trace::Operand &O = M.Operands[Declared.FirstOperand + I];
    Text += (I ? " " : "") + (K.Operands[I] == 's'
                                  ? toDisplayUTF8(D.Strings[O.String])
                                  : std::to_string(O.Number));
  }
  R.Operands = Operands.number(Text);
  const bool IsArray = K.Type == "$arrayload$" || K.Type == "$arraystore$";
  const Shape Has = IsArray               ? Shape::Array
                    : K.Type == "$field$" ? Shape::Field
                                          : Shape::Plain;
  const std::string Name = StringRef(K.Executed).trim('$').str();
  const bool HasOperands = !K.Operands.empty();
  auto [I, IsNew] = KindNumbers.try_emplace(Name + char('0' + char(Has)) +
                                                (HasOperands ? "+" : ""),
                                            uint16_t(Kinds.size()));
  if (IsNew)
    Kinds.push_back({Name, Has, HasOperands});
  R.Event = I->second;
  return R;
}

void CTFWriter::add(const TracedEvent &E) {
  const Row &R = row(E);
  Track &Of = *Now;
  Of.Last = std::max<int64_t>(Of.Last, E.Milliseconds);
  Fields &F = Of.Events;
  if (F.Text.empty())
    Of.First = Of.Last;
  F.add<uint16_t>(R.Event);
  F.add<int64_t>(Of.Last);
  const trace::Event &Declared = E.Class->event(E.Number);
  F.add<uint32_t>(R.Method);
  F.add<int32_t>(Declared.Line);
  F.add<int32_t>(int32_t(Declared.BCI));
  F.add<uint32_t>(E.Level);
  F.add<int32_t>(E.Of->Host);
  const Kind &K = Kinds[R.Event];
  if (K.HasOperands)
    F.add<uint32_t>(R.Operands);
  if (K.Has == Shape::Plain)
    return;
  F.add<int32_t>(E.Object);
  F.add<int32_t>(E.Value);
  if (K.Has == Shape::Array) {
    F.add<int32_t>(E.Index);
    F.add<uint32_t>(E.Length);
  }
}

/// Appends the packet to the thread's file.
Error CTFWriter::flush(Track &Of) {
  const bool IsFirst = Of.Path.empty();
  if (IsFirst)
    Of.Path = Folder + "/thread-" + std::to_string(Of.Thread.Number);
  Fields Head;
  Head.add<uint32_t>(PacketMagic);
  Head.add<uint32_t>(0);
  Head.add<int64_t>(Of.First);
  Head.add<int64_t>(Of.Last);
  Head.add<uint64_t>(0);
  Head.add<uint64_t>(0);
  Head.add<int64_t>(Of.Thread.Id);
  Head.add<uint8_t>(Of.Thread.IsVirtual);
  Head.Text += StringRef(Of.Thread.Name).split('\0').first;
  Head.add<uint8_t>(0);
  const uint64_t Bits = (Head.Text.size() + Of.Events.Text.size()) * 8;
  Head.set<uint64_t>(SizesAt, Bits);
  Head.set<uint64_t>(SizesAt + 8, Bits);
  std::error_code EC;
  llvm::raw_fd_ostream OS(
      Of.Path, EC,
      IsFirst ? llvm::sys::fs::CD_CreateAlways : llvm::sys::fs::CD_OpenAlways,
      llvm::sys::fs::FA_Write,
      IsFirst ? llvm::sys::fs::OF_None : llvm::sys::fs::OF_Append);
  if (EC)
    return makeError(Location(Of.Path), EC.message());
  OS << Head.Text << Of.Events.Text;
  Of.Events.Text.clear();
  OS.close();
  EC = OS.error();
  OS.clear_error();
  return EC ? makeError(Location(Of.Path), EC.message()) : Error::success();
}

Error CTFWriter::writeMetadata() {
  const std::string Path = Folder + "/metadata";
  std::error_code EC;
  llvm::raw_fd_ostream OS(Path, EC);
  if (EC)
    return makeError(Location(Path), EC.message());
  OS << "/* CTF 1.8 */\n\n";
  for (unsigned Size : {8, 16, 32, 64})
    for (bool IsSigned : {false, true})
      OS << "typealias integer { size = " << Size << "; align = 8; signed = "
         << (IsSigned ? "true; } := int" : "false; } := uint") << Size
         << "_t;\n";
  OS << "\ntrace {\n  major = 1;\n  minor = 8;\n  byte_order = le;\n"
        "  packet.header := struct { uint32_t magic; uint32_t stream_id; };\n"
        "};\n\n"
     << "env {\n  tracer_name = \"jopt\";\n  run = \""
     << quotedCTF(T.run().id()) << "\";\n};\n\n"
     << "clock {\n  name = run;\n  description = \"milliseconds of the run\";\n"
     << "  freq = 1000;\n  offset_s = " << T.run().start() / 1000
     << ";\n  offset = " << T.run().start() % 1000 << ";\n};\n\n"
     << "typealias integer { size = 64; align = 8; signed = false;\n"
        "  map = clock.run.value; } := time_ms_t;\n\n";
  Methods.print("method_t", OS);
  Operands.print("operands_t", OS);
  OS << "\nstream {\n  id = 0;\n"
        "  event.header := struct { uint16_t id; time_ms_t timestamp; };\n"
        "  packet.context := struct {\n"
        "    time_ms_t timestamp_begin;\n    time_ms_t timestamp_end;\n"
        "    uint64_t content_size;\n    uint64_t packet_size;\n"
        "    int64_t tid;\n    uint8_t is_virtual;\n    string thread;\n  };\n"
        "  event.context := struct {\n"
        "    method_t method;\n    int32_t line;\n    int32_t index;\n"
        "    uint32_t level;\n    int32_t host;\n  };\n};\n";
  for (size_t I = 0; I < Kinds.size(); ++I) {
    const Kind &K = Kinds[I];
    OS << "\nevent {\n  name = \"" << quotedCTF(K.Name) << "\";\n  id = " << I
       << ";\n  stream_id = 0;\n  fields := struct {\n"
       << (K.HasOperands ? "    operands_t operands;\n" : "");
    if (K.Has == Shape::Field)
      OS << "    int32_t owner;\n    int32_t value;\n";
    if (K.Has == Shape::Array)
      OS << "    int32_t array;\n    int32_t element;\n"
            "    int32_t element_index;\n    uint32_t length;\n";
    OS << "  };\n};\n";
  }
  OS.close();
  EC = OS.error();
  OS.clear_error();
  return EC ? makeError(Location(Path), EC.message()) : Error::success();
}

Error CTFWriter::write(LeftOut Tell) {
  Error Failed = Error::success();
  Error Unread = T.forEachEvent(Tell, [&](const TracedEvent &E) {
    if (!Now || Now->Thread.Number != E.Thread->Number) {
      Now = &Tracks[E.Thread->Number];
      Now->Thread = *E.Thread;
    }
    add(E);
    if (Now->Events.Text.size() >= PacketSize)
      Failed = llvm::joinErrors(std::move(Failed), flush(*Now));
    return !Failed;
  });
  Failed = llvm::joinErrors(std::move(Failed), std::move(Unread));
  for (auto &[Number, Of] : Tracks)
    if (!Failed && !Of.Events.Text.empty())
      Failed = flush(Of);
  return Failed ? std::move(Failed) : writeMetadata();
}

/// Moves the files of the folder \p From to the folder \p To.
static Error moveFiles(StringRef From, StringRef To) {
  std::error_code EC;
  for (fs::directory_iterator It(From, EC), End; !EC && It != End;
       It.increment(EC)) {
    llvm::SmallString<128> Path(To);
    llvm::sys::path::append(Path, llvm::sys::path::filename(It->path()));
    if (std::error_code Failed = fs::rename(It->path(), Path))
      return makeError(Location(Path), "cannot write: " + Failed.message());
  }
  return EC ? makeError(Location(To), EC.message()) : Error::success();
}

Error data::exportCTF(const Traces &T, StringRef Folder, LeftOut Tell) {
  std::error_code EC = fs::create_directories(Folder);
  removeLeftovers(Folder, "trace");
  Temporary New((Folder + "/trace" + temporarySuffix()).str());
  if (!EC)
    EC = fs::create_directory(New.path(), /*IgnoreExisting=*/false);
  if (EC)
    return makeError(Location(Folder), EC.message());
  if (Error E = CTFWriter(T, New.path()).write(Tell))
    return E;
  return moveFiles(New.path(), Folder);
}
