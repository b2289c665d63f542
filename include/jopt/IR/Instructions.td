//===- Instructions.td - The instructions of the IR --------*- tablegen -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One record per kind of IR instruction. The enum, the text form's keywords,
// the verifier's shape checks and the instruction page of docs/ come from here.
// Most kinds stand for a family of opcodes (Opcodes.td, field IROp) and are
// written with the mnemonic of the opcode; kinds with a Keyword of their own
// are written with that.
//
//===----------------------------------------------------------------------===//

include "jopt/Bytecode/Opcodes.td"

class Immediate;
def ImmNone : Immediate;
def ImmPool : Immediate;      // constant-pool index
def ImmConst : Immediate;     // int, or constant-pool index of a loadable
def ImmSlot : Immediate;      // local slot
def ImmSlotInt : Immediate;   // local slot and increment
def ImmArrayType : Immediate; // primitive element type of newarray
def ImmPoolInt : Immediate;   // constant-pool index and dimensions
def ImmSwitch : Immediate;    // keys
def ImmAdvice : Immediate;    // number of an advice
def ImmOpcode : Immediate;    // the opcode an anchor stands for

class Instruction<string keyword, Immediate imm, string summary> {
  string Name = NAME;
  string Keyword = keyword;
  Immediate Imm = imm;
  string Summary = summary;
  // Ends its block.
  bit Terminator = 0;
  // No effect but its result; the writer may emit it at each use, or not at
  // all where it has none.
  bit Pure = 0;
  // Never becomes code.
  bit NoCode = 0;
}

def Nop : Instruction<"", ImmNone, "The nop of the original code.">;
def Const : Instruction<"const", ImmConst,
  "A constant: null, a number, a string, or a loadable pool entry. Pure unless it is a class, method handle, method type or dynamic constant, whose resolution may throw.">;
let Pure = 1 in
def LocalGet : Instruction<"local.get", ImmSlot, "Reads a local slot.">;
def LocalSet : Instruction<"local.set", ImmSlot, "Writes a local slot.">;
def LocalInc : Instruction<"local.inc", ImmSlotInt, "Adds a constant to an int slot.">;
def Plain : Instruction<"", ImmNone,
  "Arithmetic, conversions, comparisons, array access, monitors: everything whose operands and result the opcode alone determines.">;
def Field : Instruction<"", ImmPool, "Reads or writes a field.">;
def Invoke : Instruction<"", ImmPool,
  "A call. invokespecial of <init> yields the initialised object; its first operand is the uninitialised one.">;
def New : Instruction<"", ImmPool, "An uninitialised object.">;
def NewArray : Instruction<"", ImmArrayType, "An array of a primitive type.">;
def ClassOp : Instruction<"", ImmPool, "anewarray, checkcast and instanceof.">;
def MultiNewArray : Instruction<"", ImmPoolInt, "An array of several dimensions.">;

let Terminator = 1 in {
  def FallThrough : Instruction<"fallthrough", ImmNone,
    "Control continues in the next block of the layout; no code."> {
    let NoCode = 1;
  }
  def Goto : Instruction<"", ImmNone, "An unconditional branch.">;
  def If : Instruction<"", ImmNone,
    "A conditional branch: first successor if taken, else the second, which is the next block of the layout.">;
  def TableSwitch : Instruction<"", ImmSwitch, "First successor is the default; the keys are consecutive.">;
  def LookupSwitch : Instruction<"", ImmSwitch, "First successor is the default; the keys ascend.">;
  def Return : Instruction<"", ImmNone, "Leaves the method normally.">;
  def Throw : Instruction<"", ImmNone, "athrow.">;
}

def Drop : Instruction<"drop", ImmNone,
  "A use that only pops its operand; keeps the shape of a discarded initialised object.">;
let NoCode = 1 in
def Anchor : Instruction<"anchor", ImmOpcode,
  "Marks where an original instruction stood that has no IR instruction: dup, swap, pop, jsr, ret and removed gotos. Only made for pipelines that ask for it.">;
def Advice : Instruction<"advice", ImmAdvice,
  "An advice at its site, with the values it was given; lower-advice makes code of it. No other pass may see it in the writer.">;

// Which kind stands for an opcode; the dup, swap and pop family and wide have
// none ("Stack"), and jsr and ret are gone after reading ("Subroutine").
def IROpEnum : GenericEnum { let FilterClass = "Instruction"; }
def ImmediateEnum : GenericEnum { let FilterClass = "Immediate"; }
def InstructionTable : GenericTable {
  let FilterClass = "Instruction";
  let CppTypeName = "InstructionInfo";
  let Fields = ["Name", "Keyword", "Imm", "Summary", "Terminator", "Pure", "NoCode"];
  string TypeOf_Imm = "ImmediateEnum";
}
