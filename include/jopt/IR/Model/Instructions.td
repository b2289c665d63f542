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

class IRInstruction<string keyword, Immediate imm, string summary> {
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

def Nop : IRInstruction<"", ImmNone, "The nop of the original code.">;
def Const : IRInstruction<"const", ImmConst,
  "A constant: null, a number, a string, or a loadable pool entry. Pure unless it is a class, method handle, method type or dynamic constant, whose resolution may throw.">;
let Pure = 1 in
def LocalGet : IRInstruction<"local.get", ImmSlot, "Reads a local slot.">;
def LocalSet : IRInstruction<"local.set", ImmSlot, "Writes a local slot.">;
def LocalInc : IRInstruction<"local.inc", ImmSlotInt, "Adds a constant to an int slot.">;
def Plain : IRInstruction<"", ImmNone,
  "Arithmetic, conversions, comparisons, array access, monitors: everything whose operands and result the opcode alone determines.">;
def FieldAccess : IRInstruction<"", ImmPool, "Reads or writes a field.">;
def Invoke : IRInstruction<"", ImmPool,
  "A call. invokespecial of <init> yields the initialised object; its first operand is the uninitialised one.">;
def New : IRInstruction<"", ImmPool, "An uninitialised object.">;
def NewArray : IRInstruction<"", ImmArrayType, "An array of a primitive type.">;
def ClassOp : IRInstruction<"", ImmPool, "anewarray, checkcast and instanceof.">;
def MultiNewArray : IRInstruction<"", ImmPoolInt, "An array of several dimensions.">;

let Terminator = 1 in {
  def FallThrough : IRInstruction<"fallthrough", ImmNone,
    "Control continues in the next block of the layout; no code."> {
    let NoCode = 1;
  }
  def Goto : IRInstruction<"", ImmNone, "An unconditional branch.">;
  def If : IRInstruction<"", ImmNone,
    "A conditional branch: first successor if taken, else the second, which is the next block of the layout.">;
  def TableSwitch : IRInstruction<"", ImmSwitch, "First successor is the default; the keys are consecutive.">;
  def LookupSwitch : IRInstruction<"", ImmSwitch, "First successor is the default; the keys ascend.">;
  def Return : IRInstruction<"", ImmNone, "Leaves the method normally.">;
  def Throw : IRInstruction<"", ImmNone, "athrow.">;
}

def Drop : IRInstruction<"drop", ImmNone,
  "A use that only pops its operand; keeps the shape of a discarded initialised object.">;
let NoCode = 1 in
def Anchor : IRInstruction<"anchor", ImmOpcode,
  "Marks where an original instruction stood that has no IR instruction: dup, swap, pop, jsr, ret and removed gotos. Only made for pipelines that ask for it.">;
def Advice : IRInstruction<"advice", ImmAdvice,
  "An advice at its site, with the values it was given; lower-advice makes code of it. No other pass may see it in the writer.">;

def Raw : IRInstruction<"raw", ImmNone,
  "Original code without branches that was not lifted; takes everything that is on the operand stack. Says how deep that gets inside, in slots, and what is stored to which slots.">;
let NoCode = 1 in
def RawValue : IRInstruction<"raw.value", ImmNone,
  "One of the values that the raw code before it leaves on the operand stack, bottom to top.">;

def IROpEnum : GenericEnum { let FilterClass = "IRInstruction"; }
def ImmediateEnum : GenericEnum { let FilterClass = "Immediate"; }
def InstructionTable : GenericTable {
  let FilterClass = "IRInstruction";
  let CppTypeName = "InstructionInfo";
  let Fields = ["Name", "Keyword", "Imm", "Summary", "Terminator", "Pure", "NoCode"];
  string TypeOf_Imm = "ImmediateEnum";
}

// Which kind stands for an opcode. The dup, swap and pop family and wide have
// none (Stack), and jsr and ret are gone after reading (Subroutine).
def OpcodeKindTable : GenericTable {
  let FilterClass = "Opcode";
  let CppTypeName = "OpcodeKind";
  let Fields = ["Encoding", "IROp"];
}
