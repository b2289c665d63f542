//===- OptionReader.cpp - Options of passes -------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using llvm::StringRef;

bool OptionReader::next() {
  if (!Message.empty() || Rest.empty())
    return false;
  Column += At;
  size_t End = Rest.find(';');
  StringRef Item = Rest.substr(0, End);
  At = unsigned(Item.size()) + 1;
  Rest = End == StringRef::npos ? StringRef() : Rest.substr(End + 1);
  if (End != StringRef::npos && Rest.empty()) {
    Column += unsigned(Item.size());
    fail("an option is missing after ';'");
    return false;
  }
  size_t Equals = Item.find('=');
  HasValue = Equals != StringRef::npos;
  Name = Item.substr(0, Equals);
  Value = HasValue ? Item.substr(Equals + 1) : StringRef();
  if (Name.empty()) {
    fail("an option without a name");
    return false;
  }
  return true;
}

bool OptionReader::flag(StringRef Wanted, bool &V) {
  StringRef N = Name;
  bool On = N == Wanted;
  if (!On && !(N.consume_front("no-") && N == Wanted))
    return false;
  if (HasValue)
    fail("option '" + Name + "' takes no value");
  V = On;
  return true;
}

bool OptionReader::value(StringRef Wanted, StringRef &V) {
  if (Name != Wanted)
    return false;
  V = Value;
  if (!HasValue)
    fail("option '" + Name + "' needs a value");
  return true;
}

bool OptionReader::integer(StringRef Wanted, int64_t &V) {
  StringRef Text;
  if (!value(Wanted, Text))
    return false;
  if (Message.empty() && Text.getAsInteger(10, V))
    fail("option '" + Name + "' needs an integer, not '" + Text + "'");
  return true;
}

bool OptionReader::text(StringRef Wanted, std::string &V) {
  StringRef Text;
  if (!value(Wanted, Text))
    return false;
  V = Text.str();
  return true;
}

bool OptionReader::choice(StringRef Wanted, unsigned &V,
                          llvm::ArrayRef<StringRef> Choices) {
  StringRef Text;
  if (!value(Wanted, Text))
    return false;
  if (!Message.empty())
    return true;
  for (unsigned I = 0; I < Choices.size(); ++I)
    if (Choices[I] == Text) {
      V = I;
      return true;
    }
  fail("option '" + Name + "' is one of '" + llvm::join(Choices, "', '") +
       "', not '" + Text + "'");
  return true;
}

void OptionReader::unknown() { fail("the pass has no option '" + Name + "'"); }

void OptionReader::fail(const llvm::Twine &M) {
  if (Message.empty())
    Message = M.str();
}

llvm::Error OptionReader::error() const {
  return makeError(Location("<passes>", 1, Column), Message);
}
