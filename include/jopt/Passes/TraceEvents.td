//===- TraceEvents.td - The events of a trace --------------*- tablegen -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One record for each event of an opcode, and for each of a place that is no
// instruction: all that trace-declare and trace-events know of opcodes. Events
// of one opcode happen in the order of their records. Which fields a line of a
// trace has: docs/Traces.md.
//
//===----------------------------------------------------------------------===//

include "llvm/TableGen/SearchableTable.td"

// Where an operand of a declaration comes from.
class Operands;
def NoOperands : Operands;
def MemberOperands : Operands;    // owner, name and descriptor of the member
def SlotOperand : Operands;       // the local variable
def ValueOperand : Operands;      // the constant in the code
def LdcOperand : Operands;        // how large the constant of the pool is
def ClassOperand : Operands;      // the class, 0
def ElementOperand : Operands;    // the class of the elements, 1
def PrimitiveOperand : Operands;  // the primitive type of the elements, 1
def DimensionsOperand : Operands; // the array, its dimensions
def CaughtOperand : Operands;     // the class that is caught; empty: all

// The values that the running program records with the event.
class Values;
def NoValues : Values;
def FieldValues : Values; // the owner, and the value that is put
def ArrayValues : Values; // the array, the index, and the element that is put
def CallValues : Values;  // with letter I, the types of the arguments

class Event<string type, string letters, Operands operands = NoOperands,
            Values values = NoValues> {
  string Type = type;
  // Its type when it is executed.
  string Executed = type;
  // It is declared, and its executions are logged, if one of the letters is
  // asked for; empty: always.
  string Emit = letters;
  string Log = letters;
  Operands Ops = operands;
  Values Gives = values;
  // It happens behind the instruction, where that completes normally.
  bit Behind = 0;
}
def Return : Event<"$return$", ""> { let Executed = "$exit$"; let Log = "x"; }
def Throw : Event<"$athrow$", "z">;
def ThrowExit : Event<"$athrow$", ""> { let Executed = "$exit$"; let Log = "x"; }
def Call : Event<"$invoke$", "iI", MemberOperands, CallValues>;
def Completion : Event<"$complete$", "iI", MemberOperands> { let Behind = 1; }
def Variable : Event<"$var$", "v", SlotOperand>;
def Increment : Event<"$iinc$", "v", ValueOperand>;
def Jump : Event<"$jump$", "j">;
def Put : Event<"$field$", "f", MemberOperands, FieldValues>;
def Get : Event<"$field$", "f", MemberOperands, FieldValues> { let Behind = 1; }
def SmallConstant : Event<"$constant$", "z"> { let Log = "c"; }
def CodeConstant : Event<"$constant$", "c", ValueOperand>;
def PoolConstant : Event<"$constant$", "c", LdcOperand>;
def ArrayLoad : Event<"$arrayload$", "z", NoOperands, ArrayValues>;
def ArrayStore : Event<"$arraystore$", "z", NoOperands, ArrayValues>;
def Stack : Event<"$stack$", "z">;
def Math : Event<"$math$", "z">;
def Conversion : Event<"$type$", "z">;
def Type : Event<"$type$", "t", ClassOperand>;
def ArrayType : Event<"$type$", "t", ElementOperand>;
def PrimitiveType : Event<"$type$", "t", PrimitiveOperand>;
def Dimensions : Event<"$type$", "t", DimensionsOperand>;
def Comparison : Event<"$compare$", "z">;
def Length : Event<"$arraylen$", "z">;
def Monitor : Event<"$monitor$", "z">;
def Switch : Event<"$switch$", "s">;
// Of no instruction.
def Enter : Event<"$enter$", ""> { let Log = "eE"; }
def Line : Event<"$line$", "l">;
// With the option exceptional.
def Catch : Event<"$catch$", "", CaughtOperand>;
def Abort : Event<"$abort$", ""> { let Executed = "$exit$"; let Log = "x"; }

// The event of an opcode in its general form (Opcodes.td, Canonical), or,
// beyond 255, of a place. Printed: the opcode in its lines.
class EventAt<int site, Event event, int printed = site> {
  bits<9> Site = site;
  string Type = event.Type;
  string Executed = event.Executed;
  string Emit = event.Emit;
  string Log = event.Log;
  Operands Ops = event.Ops;
  Values Gives = event.Gives;
  bit Behind = event.Behind;
  bits<16> Printed = !and(printed, 0xffff); // a signed number
}

foreach op = 1...15 in def : EventAt<op, SmallConstant>;
foreach op = [16, 17] in def : EventAt<op, CodeConstant>;
foreach op = [18, 20] in def : EventAt<op, PoolConstant, 18>;
foreach op = 21...25 in def : EventAt<op, Variable>;
foreach op = 46...53 in def : EventAt<op, ArrayLoad>;
foreach op = 54...58 in def : EventAt<op, Variable>;
foreach op = 79...86 in def : EventAt<op, ArrayStore>;
foreach op = 87...95 in def : EventAt<op, Stack>;
foreach op = 96...131 in def : EventAt<op, Math>;
def : EventAt<132, Increment>;
foreach op = 133...147 in def : EventAt<op, Conversion>;
foreach op = 148...152 in def : EventAt<op, Comparison>;
foreach op = 153...168 in def : EventAt<op, Jump>;
def : EventAt<169, Variable>;
foreach op = [170, 171] in def : EventAt<op, Switch>;
foreach op = 172...177 in def : EventAt<op, Return>;
foreach op = [178, 180] in def : EventAt<op, Get>;
foreach op = [179, 181] in def : EventAt<op, Put>;
foreach op = 182...186 in {
  def : EventAt<op, Call>;
  def : EventAt<op, Completion, -4>;
}
foreach op = [187, 192, 193] in def : EventAt<op, Type>;
def : EventAt<188, PrimitiveType>;
def : EventAt<189, ArrayType>;
def : EventAt<190, Length>;
def : EventAt<191, Throw>;
def : EventAt<191, ThrowExit>;
foreach op = [194, 195] in def : EventAt<op, Monitor>;
def : EventAt<197, Dimensions>;
foreach op = [198, 199] in def : EventAt<op, Jump>;

// Places that are no instruction.
def : EventAt<256, Line, -1>;
def : EventAt<257, Enter, -2>; // of an instance method
def : EventAt<258, Enter, -3>; // of a static one
def : EventAt<259, Enter, -5>; // of a constructor
def : EventAt<260, Catch, -6>; // the first instruction of a handler
def : EventAt<261, Abort, -7>; // an exception leaves the method

def OperandsEnum : GenericEnum { let FilterClass = "Operands"; }
def ValuesEnum : GenericEnum { let FilterClass = "Values"; }
def TraceEventTable : GenericTable {
  let FilterClass = "EventAt";
  let CppTypeName = "EventInfo";
  let Fields = ["Site", "Type", "Executed", "Emit", "Log", "Ops", "Gives",
                "Behind", "Printed"];
  string TypeOf_Ops = "OperandsEnum";
  string TypeOf_Gives = "ValuesEnum";
}
