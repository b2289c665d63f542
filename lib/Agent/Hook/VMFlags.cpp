//===- VMFlags.cpp - Flags of a running JVM -------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hook/VMFlags.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>
#include <dlfcn.h>

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

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

/// The tables of a JVM: fields of its classes, and types.
class VMTables {
public:
  explicit VMTables(const JvmLibrary &L);

  /// Calls \p Each with the name and the value of all flags.
  template <typename Fn> void forEachFlag(Fn &&Each) const;

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

VMTables::VMTables(const JvmLibrary &L) {
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

template <typename Fn> void VMTables::forEachFlag(Fn &&Each) const {
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
      if (const auto *Name =
              VMTable::read<const char *>(Flag, offsetOf(NameField)))
        Each(StringRef(Name), VMTable::read<void *>(Flag, offsetOf(Address)));
    }
  }
}

VMFlags::VMFlags(JavaVM *VM, llvm::ArrayRef<StringRef> Names)
    : Found(Names.size()) {
  VMTables(JvmLibrary(VM)).forEachFlag([&](StringRef Name, void *Value) {
    const auto *It = llvm::find(Names, Name);
    if (It != Names.end())
      Found[size_t(It - Names.begin())] = Value;
  });
}
