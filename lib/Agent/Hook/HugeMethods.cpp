//===- HugeMethods.cpp - Have HotSpot compile long methods ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hook/HugeMethods.h"
#include "jopt/Bytecode/HotSpot.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"
#include <cstring>
#include <dlfcn.h>

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Class files
//===----------------------------------------------------------------------===//

/// How many methods of \p Class pass the limit.
static unsigned countHuge(Bytes Class) {
  if (Class.size() <= hotspot::HugeMethodLimit)
    return 0;
  auto F = readClass(Class);
  if (!F) {
    llvm::consumeError(F.takeError());
    return 0;
  }
  return unsigned(llvm::count_if((*F)->Methods, [&](const Method &M) {
    return M.code((*F)->Pool).size() > hotspot::HugeMethodLimit;
  }));
}

bool agent::growsHuge(Bytes Before, Bytes After) {
  const unsigned New = countHuge(After);
  return New && New > countHuge(Before);
}

//===----------------------------------------------------------------------===//
// The tables of the JVM
//===----------------------------------------------------------------------===//

namespace {
/// The library of a JVM, open.
class JvmLibrary {
public:
  explicit JvmLibrary(JavaVM *VM) {
    Dl_info Info;
    if (dladdr(reinterpret_cast<void *>(VM->functions->GetEnv), &Info) &&
        Info.dli_fname)
      Handle = dlopen(Info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  }
  JvmLibrary(const JvmLibrary &) = delete;
  JvmLibrary &operator=(const JvmLibrary &) = delete;
  ~JvmLibrary() {
    if (Handle)
      dlclose(Handle);
  }

  /// The value of the variable \p Name; zero if there is none.
  template <typename T> T get(const char *Name) const {
    auto *Found = Handle ? static_cast<T *>(dlsym(Handle, Name)) : nullptr;
    return Found ? *Found : T();
  }

private:
  void *Handle = nullptr;
};

/// A table of rows that begin with the name of a type; a row without one ends
/// it.
struct VMTable {
  const char *Rows = nullptr;
  uint64_t Stride = 0, NameAt = 0;

  /// Tables have some thousands.
  static constexpr unsigned MostRows = 100000;

  template <typename T> static T read(const char *Row, uint64_t Offset) {
    T Value;
    std::memcpy(&Value, Row + Offset, sizeof Value);
    return Value;
  }
  /// The first row of \p Type for which \p Matches; null if there is none.
  template <typename Fn> const char *find(StringRef Type, Fn Matches) const {
    if (!Rows || !Stride)
      return nullptr;
    for (unsigned I = 0; I < MostRows; ++I) {
      const char *Row = Rows + I * Stride;
      const auto *Name = read<const char *>(Row, NameAt);
      if (!Name)
        return nullptr;
      if (Type == Name && Matches(Row))
        return Row;
    }
    return nullptr;
  }
};

/// The flags of a JVM (class JVMFlag, or Flag before Java 11), as its tables
/// describe them.
class VMFlags {
public:
  explicit VMFlags(const JvmLibrary &L);

  /// The byte of the flag \p Name; null if the tables do not tell.
  unsigned char *find(StringRef Name) const;

private:
  const char *field(StringRef Type, StringRef Name) const {
    return Fields.find(Type, [&](const char *Row) {
      const auto *Own = VMTable::read<const char *>(Row, FieldAt);
      return Own && Name == Own;
    });
  }
  /// The address of a static field; its offset in an object.
  const void *addressOf(const char *Row) const {
    return Row ? VMTable::read<const void *>(Row, AddressAt) : nullptr;
  }
  uint64_t offsetOf(const char *Row) const {
    return VMTable::read<uint64_t>(Row, OffsetAt);
  }

  VMTable Fields, Types;
  uint64_t FieldAt, OffsetAt, AddressAt, SizeAt;
};
} // namespace

VMFlags::VMFlags(const JvmLibrary &L) {
  auto Number = [&](const char *Name) { return L.get<uint64_t>(Name); };
  Fields = {L.get<const char *>("gHotSpotVMStructs"),
            Number("gHotSpotVMStructEntryArrayStride"),
            Number("gHotSpotVMStructEntryTypeNameOffset")};
  FieldAt = Number("gHotSpotVMStructEntryFieldNameOffset");
  OffsetAt = Number("gHotSpotVMStructEntryOffsetOffset");
  AddressAt = Number("gHotSpotVMStructEntryAddressOffset");
  Types = {L.get<const char *>("gHotSpotVMTypes"),
           Number("gHotSpotVMTypeEntryArrayStride"),
           Number("gHotSpotVMTypeEntryTypeNameOffset")};
  SizeAt = Number("gHotSpotVMTypeEntrySizeOffset");
}

unsigned char *VMFlags::find(StringRef Name) const {
  for (StringRef Type : {"JVMFlag", "Flag"}) {
    const char *Row = Types.find(Type, [](const char *) { return true; });
    const char *NameField = field(Type, "_name"),
               *Address = field(Type, "_addr");
    const void *All = addressOf(field(Type, "flags"));
    const void *Count = addressOf(field(Type, "numFlags"));
    if (!Row || !NameField || !Address || !All || !Count)
      continue;
    const auto Size = VMTable::read<uint64_t>(Row, SizeAt);
    const auto *Flags = *static_cast<const char *const *>(All);
    const size_t N = *static_cast<const size_t *>(Count);
    for (size_t I = 0; Flags && I < N && I < VMTable::MostRows; ++I) {
      const char *Flag = Flags + I * Size;
      const auto *Own = VMTable::read<const char *>(Flag, offsetOf(NameField));
      if (Own && Name == Own)
        return VMTable::read<unsigned char *>(Flag, offsetOf(Address));
    }
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// The flag
//===----------------------------------------------------------------------===//

llvm::Expected<bool> HugeMethods::compile(JavaVM *VM) {
  const std::lock_guard<std::mutex> Guard(Lock);
  if (!HasLooked) {
    HasLooked = true;
    Flag = VMFlags(JvmLibrary(VM)).find("DontCompileHugeMethods");
    if (!Flag)
      return makeError("this JVM does not say where its flag "
                       "DontCompileHugeMethods is");
  }
  if (!Flag || IsCleared || !*Flag)
    return false;
  *Flag = 0;
  return IsCleared = true;
}

void HugeMethods::restore() {
  const std::lock_guard<std::mutex> Guard(Lock);
  if (IsCleared)
    *Flag = 1;
  IsCleared = false;
}
