//===- Opcodes.td - The instruction set of the JVM ---------*- tablegen -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One record per opcode of chapter 6 of the JVM specification. Everything that
// decodes, encodes, lifts, lowers, verifies or documents an instruction reads
// this table: what follows from an opcode is a column here, and nothing in the
// code asks twice. So an opcode that does what others do, to other operands, is
// a row (utils/check-add-one adds one); one that does something new is a row, a
// letter of its effect, and what that letter means (IR/OpcodeSemantics.h for
// lifting and the IR verifier, Verify/Machine.cpp).
//
// llvm-tblgen accepts two records with one encoding: the 256-entry unit test
// (unittests/Bytecode) does not.
//
//===----------------------------------------------------------------------===//

include "llvm/TableGen/SearchableTable.td"

// Length: bytes of the instruction without a wide prefix, 0 where that depends.
// IndexBytes: of the local slot, type code or pool index behind the opcode,
// without a wide prefix; 0 if there is none.
class Format<int length, int indexBytes = 0> {
  int Length = length;
  int IndexBytes = indexBytes;
}
def FmtUndefined : Format<0>;          // of encodings that are no instruction
def FmtNone : Format<1>;               // no operand bytes
def FmtS1 : Format<2>;                 // one signed byte
def FmtS2 : Format<3>;                 // two signed bytes
def FmtCP1 : Format<2, 1>;             // one-byte constant pool index
def FmtCP2 : Format<3, 2>;             // two-byte constant pool index
def FmtLocal : Format<2, 1>;           // local index; two bytes under wide
def FmtIinc : Format<3, 1>;            // local index and signed increment; wide
def FmtBranch2 : Format<3>;            // signed 16-bit branch offset
def FmtBranch4 : Format<5>;            // signed 32-bit branch offset
def FmtTableSwitch : Format<0>;
def FmtLookupSwitch : Format<0>;
def FmtWide : Format<0>;               // the wide prefix itself
def FmtInvokeInterface : Format<5, 2>; // CP2, count, zero
def FmtInvokeDynamic : Format<5, 2>;   // CP2, zero, zero
def FmtNewArray : Format<2, 1>;        // one-byte primitive type code
def FmtMultiANewArray : Format<4, 2>;  // CP2, dimensions

class Category;
def CatConstant : Category;
def CatLocal : Category;
def CatArray : Category;
def CatStack : Category;
def CatArithmetic : Category;
def CatConversion : Category;
def CatComparison : Category;
def CatControl : Category;
def CatField : Category;
def CatInvoke : Category;
def CatObject : Category;
def CatMonitor : Category;
def CatExtended : Category;

// The reasons for which an instruction completes abruptly, each a bit.
class Failure<int mask> { int Bit = mask; }
def OfNull : Failure<1>;      // an operand is null
def OfCast : Failure<2>;      // an object is of another class
def OfIndex : Failure<4>;     // an index is out of bounds
def OfStore : Failure<8>;     // an element is not of the array's type
def OfArith : Failure<16>;    // a divisor is zero
def OfSize : Failure<32>;     // a length is negative
def OfMonitor : Failure<64>;  // a lock is not held, or still is
def OfLink : Failure<128>;    // a symbolic reference does not resolve
def OfInit : Failure<256>;    // a class is initialised, which runs code
def OfUser : Failure<512>;    // code is called

/// Effect is "operands>results", bottom of the stack first, one letter each.
/// Capitals stand for what the opcode itself says:
///   I int (and boolean, byte, char, short), J long, F float, D double,
///   A reference, N null, R return address
/// small letters for what its operand says:
///   v what the field holds
///   k a constant of one slot, w one of two
///   m the arguments of the method, or call site; as result what it returns
///   c an object of the class that the pool entry is, or whose member it is
///   a an array of such objects
///   p an array of the primitive type that is named
///   n as many ints as are named
/// and where both say nothing:
///   e an element of the array that is the first operand
///   u a new object that is not initialised
/// and digits for slots as they are, 1 the top of the stack. Digits that stand
/// beside each other wherever they stand may be a long or double.
///
/// IROp names the IR instruction (Instructions.td) that stands for the opcode.
class Opcode<int encoding, string mnemonic, Format format, string effect,
             Category category, code irOp> {
  bits<8> Encoding = encoding;
  string Mnemonic = mnemonic;
  Format Fmt = format;
  bits<8> Length = format.Length;
  bits<8> IndexBytes = format.IndexBytes;
  string Effect = effect;
  Category Cat = category;
  code IROp = irOp;
  // The general form of iload_0 and its like, which the IR has, and the slot
  // that is implied.
  bits<8> Canonical = encoding;
  bits<8> Slot = 0;
  // The pool entries that the instruction may name (PoolTags.h); none: it names
  // none.
  code PoolTags = [{0}];
  // The beginnings of the descriptors of elements of the first operand, an
  // array; empty if it is no array.
  string Elements = "";
  // Takes references to objects that are not initialised, too.
  bit TakesUninitialised = 0;
  // First and last class-file version (major) that may contain it.
  bits<8> Since = 45;
  bits<8> Until = 255;
  // How it may complete abruptly (chapter 6 of the specification). Facts about
  // its operands may exclude some of that.
  list<Failure> Throws = [];
  bits<16> Failures = !foldl(0, Throws, All, One, !or(All, One.Bit));
  bit MayThrow = !not(!empty(Throws));
  // Has a branch target of its own (switches included).
  bit Branches = 0;
  // Control never falls through to the next instruction.
  bit EndsBlock = 0;
}

def NOP             : Opcode<0x00, "nop", FmtNone, ">", CatConstant, [{Nop}]>;
def ACONST_NULL     : Opcode<0x01, "aconst_null", FmtNone, ">N", CatConstant, [{Const}]>;
def ICONST_M1       : Opcode<0x02, "iconst_m1", FmtNone, ">I", CatConstant, [{Const}]>;
def ICONST_0        : Opcode<0x03, "iconst_0", FmtNone, ">I", CatConstant, [{Const}]>;
def ICONST_1        : Opcode<0x04, "iconst_1", FmtNone, ">I", CatConstant, [{Const}]>;
def ICONST_2        : Opcode<0x05, "iconst_2", FmtNone, ">I", CatConstant, [{Const}]>;
def ICONST_3        : Opcode<0x06, "iconst_3", FmtNone, ">I", CatConstant, [{Const}]>;
def ICONST_4        : Opcode<0x07, "iconst_4", FmtNone, ">I", CatConstant, [{Const}]>;
def ICONST_5        : Opcode<0x08, "iconst_5", FmtNone, ">I", CatConstant, [{Const}]>;
def LCONST_0        : Opcode<0x09, "lconst_0", FmtNone, ">J", CatConstant, [{Const}]>;
def LCONST_1        : Opcode<0x0a, "lconst_1", FmtNone, ">J", CatConstant, [{Const}]>;
def FCONST_0        : Opcode<0x0b, "fconst_0", FmtNone, ">F", CatConstant, [{Const}]>;
def FCONST_1        : Opcode<0x0c, "fconst_1", FmtNone, ">F", CatConstant, [{Const}]>;
def FCONST_2        : Opcode<0x0d, "fconst_2", FmtNone, ">F", CatConstant, [{Const}]>;
def DCONST_0        : Opcode<0x0e, "dconst_0", FmtNone, ">D", CatConstant, [{Const}]>;
def DCONST_1        : Opcode<0x0f, "dconst_1", FmtNone, ">D", CatConstant, [{Const}]>;
def BIPUSH          : Opcode<0x10, "bipush", FmtS1, ">I", CatConstant, [{Const}]>;
def SIPUSH          : Opcode<0x11, "sipush", FmtS2, ">I", CatConstant, [{Const}]>;
def LDC             : Opcode<0x12, "ldc", FmtCP1, ">k", CatConstant, [{Const}]> { let Throws = [OfLink, OfUser]; let PoolTags = [{NarrowConstantTags}]; }
def LDC_W           : Opcode<0x13, "ldc_w", FmtCP2, ">k", CatConstant, [{Const}]> { let Throws = [OfLink, OfUser]; let Canonical = 0x12; let PoolTags = [{NarrowConstantTags}]; }
def LDC2_W          : Opcode<0x14, "ldc2_w", FmtCP2, ">w", CatConstant, [{Const}]> { let Throws = [OfLink, OfUser]; let PoolTags = [{WideConstantTags}]; }
def ILOAD           : Opcode<0x15, "iload", FmtLocal, ">I", CatLocal, [{LocalGet}]>;
def LLOAD           : Opcode<0x16, "lload", FmtLocal, ">J", CatLocal, [{LocalGet}]>;
def FLOAD           : Opcode<0x17, "fload", FmtLocal, ">F", CatLocal, [{LocalGet}]>;
def DLOAD           : Opcode<0x18, "dload", FmtLocal, ">D", CatLocal, [{LocalGet}]>;
def ALOAD           : Opcode<0x19, "aload", FmtLocal, ">A", CatLocal, [{LocalGet}]>;
def ILOAD_0         : Opcode<0x1a, "iload_0", FmtNone, ">I", CatLocal, [{LocalGet}]> { let Canonical = 0x15; let Slot = 0; }
def ILOAD_1         : Opcode<0x1b, "iload_1", FmtNone, ">I", CatLocal, [{LocalGet}]> { let Canonical = 0x15; let Slot = 1; }
def ILOAD_2         : Opcode<0x1c, "iload_2", FmtNone, ">I", CatLocal, [{LocalGet}]> { let Canonical = 0x15; let Slot = 2; }
def ILOAD_3         : Opcode<0x1d, "iload_3", FmtNone, ">I", CatLocal, [{LocalGet}]> { let Canonical = 0x15; let Slot = 3; }
def LLOAD_0         : Opcode<0x1e, "lload_0", FmtNone, ">J", CatLocal, [{LocalGet}]> { let Canonical = 0x16; let Slot = 0; }
def LLOAD_1         : Opcode<0x1f, "lload_1", FmtNone, ">J", CatLocal, [{LocalGet}]> { let Canonical = 0x16; let Slot = 1; }
def LLOAD_2         : Opcode<0x20, "lload_2", FmtNone, ">J", CatLocal, [{LocalGet}]> { let Canonical = 0x16; let Slot = 2; }
def LLOAD_3         : Opcode<0x21, "lload_3", FmtNone, ">J", CatLocal, [{LocalGet}]> { let Canonical = 0x16; let Slot = 3; }
def FLOAD_0         : Opcode<0x22, "fload_0", FmtNone, ">F", CatLocal, [{LocalGet}]> { let Canonical = 0x17; let Slot = 0; }
def FLOAD_1         : Opcode<0x23, "fload_1", FmtNone, ">F", CatLocal, [{LocalGet}]> { let Canonical = 0x17; let Slot = 1; }
def FLOAD_2         : Opcode<0x24, "fload_2", FmtNone, ">F", CatLocal, [{LocalGet}]> { let Canonical = 0x17; let Slot = 2; }
def FLOAD_3         : Opcode<0x25, "fload_3", FmtNone, ">F", CatLocal, [{LocalGet}]> { let Canonical = 0x17; let Slot = 3; }
def DLOAD_0         : Opcode<0x26, "dload_0", FmtNone, ">D", CatLocal, [{LocalGet}]> { let Canonical = 0x18; let Slot = 0; }
def DLOAD_1         : Opcode<0x27, "dload_1", FmtNone, ">D", CatLocal, [{LocalGet}]> { let Canonical = 0x18; let Slot = 1; }
def DLOAD_2         : Opcode<0x28, "dload_2", FmtNone, ">D", CatLocal, [{LocalGet}]> { let Canonical = 0x18; let Slot = 2; }
def DLOAD_3         : Opcode<0x29, "dload_3", FmtNone, ">D", CatLocal, [{LocalGet}]> { let Canonical = 0x18; let Slot = 3; }
def ALOAD_0         : Opcode<0x2a, "aload_0", FmtNone, ">A", CatLocal, [{LocalGet}]> { let Canonical = 0x19; let Slot = 0; }
def ALOAD_1         : Opcode<0x2b, "aload_1", FmtNone, ">A", CatLocal, [{LocalGet}]> { let Canonical = 0x19; let Slot = 1; }
def ALOAD_2         : Opcode<0x2c, "aload_2", FmtNone, ">A", CatLocal, [{LocalGet}]> { let Canonical = 0x19; let Slot = 2; }
def ALOAD_3         : Opcode<0x2d, "aload_3", FmtNone, ">A", CatLocal, [{LocalGet}]> { let Canonical = 0x19; let Slot = 3; }
def IALOAD          : Opcode<0x2e, "iaload", FmtNone, "AI>I", CatArray, [{Plain}]> { let Throws = [OfNull, OfIndex]; let Elements = "I"; }
def LALOAD          : Opcode<0x2f, "laload", FmtNone, "AI>J", CatArray, [{Plain}]> { let Throws = [OfNull, OfIndex]; let Elements = "J"; }
def FALOAD          : Opcode<0x30, "faload", FmtNone, "AI>F", CatArray, [{Plain}]> { let Throws = [OfNull, OfIndex]; let Elements = "F"; }
def DALOAD          : Opcode<0x31, "daload", FmtNone, "AI>D", CatArray, [{Plain}]> { let Throws = [OfNull, OfIndex]; let Elements = "D"; }
def AALOAD          : Opcode<0x32, "aaload", FmtNone, "AI>e", CatArray, [{Plain}]> { let Throws = [OfNull, OfIndex]; let Elements = "L["; }
def BALOAD          : Opcode<0x33, "baload", FmtNone, "AI>I", CatArray, [{Plain}]> { let Throws = [OfNull, OfIndex]; let Elements = "BZ"; }
def CALOAD          : Opcode<0x34, "caload", FmtNone, "AI>I", CatArray, [{Plain}]> { let Throws = [OfNull, OfIndex]; let Elements = "C"; }
def SALOAD          : Opcode<0x35, "saload", FmtNone, "AI>I", CatArray, [{Plain}]> { let Throws = [OfNull, OfIndex]; let Elements = "S"; }
def ISTORE          : Opcode<0x36, "istore", FmtLocal, "I>", CatLocal, [{LocalSet}]>;
def LSTORE          : Opcode<0x37, "lstore", FmtLocal, "J>", CatLocal, [{LocalSet}]>;
def FSTORE          : Opcode<0x38, "fstore", FmtLocal, "F>", CatLocal, [{LocalSet}]>;
def DSTORE          : Opcode<0x39, "dstore", FmtLocal, "D>", CatLocal, [{LocalSet}]>;
def ASTORE          : Opcode<0x3a, "astore", FmtLocal, "A>", CatLocal, [{LocalSet}]> { let TakesUninitialised = 1; }
def ISTORE_0        : Opcode<0x3b, "istore_0", FmtNone, "I>", CatLocal, [{LocalSet}]> { let Canonical = 0x36; let Slot = 0; }
def ISTORE_1        : Opcode<0x3c, "istore_1", FmtNone, "I>", CatLocal, [{LocalSet}]> { let Canonical = 0x36; let Slot = 1; }
def ISTORE_2        : Opcode<0x3d, "istore_2", FmtNone, "I>", CatLocal, [{LocalSet}]> { let Canonical = 0x36; let Slot = 2; }
def ISTORE_3        : Opcode<0x3e, "istore_3", FmtNone, "I>", CatLocal, [{LocalSet}]> { let Canonical = 0x36; let Slot = 3; }
def LSTORE_0        : Opcode<0x3f, "lstore_0", FmtNone, "J>", CatLocal, [{LocalSet}]> { let Canonical = 0x37; let Slot = 0; }
def LSTORE_1        : Opcode<0x40, "lstore_1", FmtNone, "J>", CatLocal, [{LocalSet}]> { let Canonical = 0x37; let Slot = 1; }
def LSTORE_2        : Opcode<0x41, "lstore_2", FmtNone, "J>", CatLocal, [{LocalSet}]> { let Canonical = 0x37; let Slot = 2; }
def LSTORE_3        : Opcode<0x42, "lstore_3", FmtNone, "J>", CatLocal, [{LocalSet}]> { let Canonical = 0x37; let Slot = 3; }
def FSTORE_0        : Opcode<0x43, "fstore_0", FmtNone, "F>", CatLocal, [{LocalSet}]> { let Canonical = 0x38; let Slot = 0; }
def FSTORE_1        : Opcode<0x44, "fstore_1", FmtNone, "F>", CatLocal, [{LocalSet}]> { let Canonical = 0x38; let Slot = 1; }
def FSTORE_2        : Opcode<0x45, "fstore_2", FmtNone, "F>", CatLocal, [{LocalSet}]> { let Canonical = 0x38; let Slot = 2; }
def FSTORE_3        : Opcode<0x46, "fstore_3", FmtNone, "F>", CatLocal, [{LocalSet}]> { let Canonical = 0x38; let Slot = 3; }
def DSTORE_0        : Opcode<0x47, "dstore_0", FmtNone, "D>", CatLocal, [{LocalSet}]> { let Canonical = 0x39; let Slot = 0; }
def DSTORE_1        : Opcode<0x48, "dstore_1", FmtNone, "D>", CatLocal, [{LocalSet}]> { let Canonical = 0x39; let Slot = 1; }
def DSTORE_2        : Opcode<0x49, "dstore_2", FmtNone, "D>", CatLocal, [{LocalSet}]> { let Canonical = 0x39; let Slot = 2; }
def DSTORE_3        : Opcode<0x4a, "dstore_3", FmtNone, "D>", CatLocal, [{LocalSet}]> { let Canonical = 0x39; let Slot = 3; }
def ASTORE_0        : Opcode<0x4b, "astore_0", FmtNone, "A>", CatLocal, [{LocalSet}]> { let Canonical = 0x3a; let Slot = 0; let TakesUninitialised = 1; }
def ASTORE_1        : Opcode<0x4c, "astore_1", FmtNone, "A>", CatLocal, [{LocalSet}]> { let Canonical = 0x3a; let Slot = 1; let TakesUninitialised = 1; }
def ASTORE_2        : Opcode<0x4d, "astore_2", FmtNone, "A>", CatLocal, [{LocalSet}]> { let Canonical = 0x3a; let Slot = 2; let TakesUninitialised = 1; }
def ASTORE_3        : Opcode<0x4e, "astore_3", FmtNone, "A>", CatLocal, [{LocalSet}]> { let Canonical = 0x3a; let Slot = 3; let TakesUninitialised = 1; }
def IASTORE         : Opcode<0x4f, "iastore", FmtNone, "AII>", CatArray, [{Plain}]> { let Throws = [OfNull, OfIndex]; let Elements = "I"; }
def LASTORE         : Opcode<0x50, "lastore", FmtNone, "AIJ>", CatArray, [{Plain}]> { let Throws = [OfNull, OfIndex]; let Elements = "J"; }
def FASTORE         : Opcode<0x51, "fastore", FmtNone, "AIF>", CatArray, [{Plain}]> { let Throws = [OfNull, OfIndex]; let Elements = "F"; }
def DASTORE         : Opcode<0x52, "dastore", FmtNone, "AID>", CatArray, [{Plain}]> { let Throws = [OfNull, OfIndex]; let Elements = "D"; }
def AASTORE         : Opcode<0x53, "aastore", FmtNone, "AIA>", CatArray, [{Plain}]> { let Throws = [OfNull, OfIndex, OfStore]; let Elements = "L["; }
def BASTORE         : Opcode<0x54, "bastore", FmtNone, "AII>", CatArray, [{Plain}]> { let Throws = [OfNull, OfIndex]; let Elements = "BZ"; }
def CASTORE         : Opcode<0x55, "castore", FmtNone, "AII>", CatArray, [{Plain}]> { let Throws = [OfNull, OfIndex]; let Elements = "C"; }
def SASTORE         : Opcode<0x56, "sastore", FmtNone, "AII>", CatArray, [{Plain}]> { let Throws = [OfNull, OfIndex]; let Elements = "S"; }
def POP             : Opcode<0x57, "pop", FmtNone, "1>", CatStack, [{Stack}]>;
def POP2            : Opcode<0x58, "pop2", FmtNone, "21>", CatStack, [{Stack}]>;
def DUP             : Opcode<0x59, "dup", FmtNone, "1>11", CatStack, [{Stack}]>;
def DUP_X1          : Opcode<0x5a, "dup_x1", FmtNone, "21>121", CatStack, [{Stack}]>;
def DUP_X2          : Opcode<0x5b, "dup_x2", FmtNone, "321>1321", CatStack, [{Stack}]>;
def DUP2            : Opcode<0x5c, "dup2", FmtNone, "21>2121", CatStack, [{Stack}]>;
def DUP2_X1         : Opcode<0x5d, "dup2_x1", FmtNone, "321>21321", CatStack, [{Stack}]>;
def DUP2_X2         : Opcode<0x5e, "dup2_x2", FmtNone, "4321>214321", CatStack, [{Stack}]>;
def SWAP            : Opcode<0x5f, "swap", FmtNone, "21>12", CatStack, [{Stack}]>;
def IADD            : Opcode<0x60, "iadd", FmtNone, "II>I", CatArithmetic, [{Plain}]>;
def LADD            : Opcode<0x61, "ladd", FmtNone, "JJ>J", CatArithmetic, [{Plain}]>;
def FADD            : Opcode<0x62, "fadd", FmtNone, "FF>F", CatArithmetic, [{Plain}]>;
def DADD            : Opcode<0x63, "dadd", FmtNone, "DD>D", CatArithmetic, [{Plain}]>;
def ISUB            : Opcode<0x64, "isub", FmtNone, "II>I", CatArithmetic, [{Plain}]>;
def LSUB            : Opcode<0x65, "lsub", FmtNone, "JJ>J", CatArithmetic, [{Plain}]>;
def FSUB            : Opcode<0x66, "fsub", FmtNone, "FF>F", CatArithmetic, [{Plain}]>;
def DSUB            : Opcode<0x67, "dsub", FmtNone, "DD>D", CatArithmetic, [{Plain}]>;
def IMUL            : Opcode<0x68, "imul", FmtNone, "II>I", CatArithmetic, [{Plain}]>;
def LMUL            : Opcode<0x69, "lmul", FmtNone, "JJ>J", CatArithmetic, [{Plain}]>;
def FMUL            : Opcode<0x6a, "fmul", FmtNone, "FF>F", CatArithmetic, [{Plain}]>;
def DMUL            : Opcode<0x6b, "dmul", FmtNone, "DD>D", CatArithmetic, [{Plain}]>;
def IDIV            : Opcode<0x6c, "idiv", FmtNone, "II>I", CatArithmetic, [{Plain}]> { let Throws = [OfArith]; }
def LDIV            : Opcode<0x6d, "ldiv", FmtNone, "JJ>J", CatArithmetic, [{Plain}]> { let Throws = [OfArith]; }
def FDIV            : Opcode<0x6e, "fdiv", FmtNone, "FF>F", CatArithmetic, [{Plain}]>;
def DDIV            : Opcode<0x6f, "ddiv", FmtNone, "DD>D", CatArithmetic, [{Plain}]>;
def IREM            : Opcode<0x70, "irem", FmtNone, "II>I", CatArithmetic, [{Plain}]> { let Throws = [OfArith]; }
def LREM            : Opcode<0x71, "lrem", FmtNone, "JJ>J", CatArithmetic, [{Plain}]> { let Throws = [OfArith]; }
def FREM            : Opcode<0x72, "frem", FmtNone, "FF>F", CatArithmetic, [{Plain}]>;
def DREM            : Opcode<0x73, "drem", FmtNone, "DD>D", CatArithmetic, [{Plain}]>;
def INEG            : Opcode<0x74, "ineg", FmtNone, "I>I", CatArithmetic, [{Plain}]>;
def LNEG            : Opcode<0x75, "lneg", FmtNone, "J>J", CatArithmetic, [{Plain}]>;
def FNEG            : Opcode<0x76, "fneg", FmtNone, "F>F", CatArithmetic, [{Plain}]>;
def DNEG            : Opcode<0x77, "dneg", FmtNone, "D>D", CatArithmetic, [{Plain}]>;
def ISHL            : Opcode<0x78, "ishl", FmtNone, "II>I", CatArithmetic, [{Plain}]>;
def LSHL            : Opcode<0x79, "lshl", FmtNone, "JI>J", CatArithmetic, [{Plain}]>;
def ISHR            : Opcode<0x7a, "ishr", FmtNone, "II>I", CatArithmetic, [{Plain}]>;
def LSHR            : Opcode<0x7b, "lshr", FmtNone, "JI>J", CatArithmetic, [{Plain}]>;
def IUSHR           : Opcode<0x7c, "iushr", FmtNone, "II>I", CatArithmetic, [{Plain}]>;
def LUSHR           : Opcode<0x7d, "lushr", FmtNone, "JI>J", CatArithmetic, [{Plain}]>;
def IAND            : Opcode<0x7e, "iand", FmtNone, "II>I", CatArithmetic, [{Plain}]>;
def LAND            : Opcode<0x7f, "land", FmtNone, "JJ>J", CatArithmetic, [{Plain}]>;
def IOR             : Opcode<0x80, "ior", FmtNone, "II>I", CatArithmetic, [{Plain}]>;
def LOR             : Opcode<0x81, "lor", FmtNone, "JJ>J", CatArithmetic, [{Plain}]>;
def IXOR            : Opcode<0x82, "ixor", FmtNone, "II>I", CatArithmetic, [{Plain}]>;
def LXOR            : Opcode<0x83, "lxor", FmtNone, "JJ>J", CatArithmetic, [{Plain}]>;
def IINC            : Opcode<0x84, "iinc", FmtIinc, ">", CatLocal, [{LocalInc}]>;
def I2L             : Opcode<0x85, "i2l", FmtNone, "I>J", CatConversion, [{Plain}]>;
def I2F             : Opcode<0x86, "i2f", FmtNone, "I>F", CatConversion, [{Plain}]>;
def I2D             : Opcode<0x87, "i2d", FmtNone, "I>D", CatConversion, [{Plain}]>;
def L2I             : Opcode<0x88, "l2i", FmtNone, "J>I", CatConversion, [{Plain}]>;
def L2F             : Opcode<0x89, "l2f", FmtNone, "J>F", CatConversion, [{Plain}]>;
def L2D             : Opcode<0x8a, "l2d", FmtNone, "J>D", CatConversion, [{Plain}]>;
def F2I             : Opcode<0x8b, "f2i", FmtNone, "F>I", CatConversion, [{Plain}]>;
def F2L             : Opcode<0x8c, "f2l", FmtNone, "F>J", CatConversion, [{Plain}]>;
def F2D             : Opcode<0x8d, "f2d", FmtNone, "F>D", CatConversion, [{Plain}]>;
def D2I             : Opcode<0x8e, "d2i", FmtNone, "D>I", CatConversion, [{Plain}]>;
def D2L             : Opcode<0x8f, "d2l", FmtNone, "D>J", CatConversion, [{Plain}]>;
def D2F             : Opcode<0x90, "d2f", FmtNone, "D>F", CatConversion, [{Plain}]>;
def I2B             : Opcode<0x91, "i2b", FmtNone, "I>I", CatConversion, [{Plain}]>;
def I2C             : Opcode<0x92, "i2c", FmtNone, "I>I", CatConversion, [{Plain}]>;
def I2S             : Opcode<0x93, "i2s", FmtNone, "I>I", CatConversion, [{Plain}]>;
def LCMP            : Opcode<0x94, "lcmp", FmtNone, "JJ>I", CatComparison, [{Plain}]>;
def FCMPL           : Opcode<0x95, "fcmpl", FmtNone, "FF>I", CatComparison, [{Plain}]>;
def FCMPG           : Opcode<0x96, "fcmpg", FmtNone, "FF>I", CatComparison, [{Plain}]>;
def DCMPL           : Opcode<0x97, "dcmpl", FmtNone, "DD>I", CatComparison, [{Plain}]>;
def DCMPG           : Opcode<0x98, "dcmpg", FmtNone, "DD>I", CatComparison, [{Plain}]>;
def IFEQ            : Opcode<0x99, "ifeq", FmtBranch2, "I>", CatControl, [{If}]> { let Branches = 1; }
def IFNE            : Opcode<0x9a, "ifne", FmtBranch2, "I>", CatControl, [{If}]> { let Branches = 1; }
def IFLT            : Opcode<0x9b, "iflt", FmtBranch2, "I>", CatControl, [{If}]> { let Branches = 1; }
def IFGE            : Opcode<0x9c, "ifge", FmtBranch2, "I>", CatControl, [{If}]> { let Branches = 1; }
def IFGT            : Opcode<0x9d, "ifgt", FmtBranch2, "I>", CatControl, [{If}]> { let Branches = 1; }
def IFLE            : Opcode<0x9e, "ifle", FmtBranch2, "I>", CatControl, [{If}]> { let Branches = 1; }
def IF_ICMPEQ       : Opcode<0x9f, "if_icmpeq", FmtBranch2, "II>", CatControl, [{If}]> { let Branches = 1; }
def IF_ICMPNE       : Opcode<0xa0, "if_icmpne", FmtBranch2, "II>", CatControl, [{If}]> { let Branches = 1; }
def IF_ICMPLT       : Opcode<0xa1, "if_icmplt", FmtBranch2, "II>", CatControl, [{If}]> { let Branches = 1; }
def IF_ICMPGE       : Opcode<0xa2, "if_icmpge", FmtBranch2, "II>", CatControl, [{If}]> { let Branches = 1; }
def IF_ICMPGT       : Opcode<0xa3, "if_icmpgt", FmtBranch2, "II>", CatControl, [{If}]> { let Branches = 1; }
def IF_ICMPLE       : Opcode<0xa4, "if_icmple", FmtBranch2, "II>", CatControl, [{If}]> { let Branches = 1; }
def IF_ACMPEQ       : Opcode<0xa5, "if_acmpeq", FmtBranch2, "AA>", CatControl, [{If}]> { let Branches = 1; let TakesUninitialised = 1; }
def IF_ACMPNE       : Opcode<0xa6, "if_acmpne", FmtBranch2, "AA>", CatControl, [{If}]> { let Branches = 1; let TakesUninitialised = 1; }
def GOTO            : Opcode<0xa7, "goto", FmtBranch2, ">", CatControl, [{Goto}]> { let Branches = 1; let EndsBlock = 1; }
def JSR             : Opcode<0xa8, "jsr", FmtBranch2, ">R", CatControl, [{Subroutine}]> { let Until = 50; let Branches = 1; }
def RET             : Opcode<0xa9, "ret", FmtLocal, ">", CatControl, [{Subroutine}]> { let Until = 50; let EndsBlock = 1; }
def TABLESWITCH     : Opcode<0xaa, "tableswitch", FmtTableSwitch, "I>", CatControl, [{TableSwitch}]> { let Branches = 1; let EndsBlock = 1; }
def LOOKUPSWITCH    : Opcode<0xab, "lookupswitch", FmtLookupSwitch, "I>", CatControl, [{LookupSwitch}]> { let Branches = 1; let EndsBlock = 1; }
def IRETURN         : Opcode<0xac, "ireturn", FmtNone, "I>", CatControl, [{Return}]> { let EndsBlock = 1; let Throws = [OfMonitor]; }
def LRETURN         : Opcode<0xad, "lreturn", FmtNone, "J>", CatControl, [{Return}]> { let EndsBlock = 1; let Throws = [OfMonitor]; }
def FRETURN         : Opcode<0xae, "freturn", FmtNone, "F>", CatControl, [{Return}]> { let EndsBlock = 1; let Throws = [OfMonitor]; }
def DRETURN         : Opcode<0xaf, "dreturn", FmtNone, "D>", CatControl, [{Return}]> { let EndsBlock = 1; let Throws = [OfMonitor]; }
def ARETURN         : Opcode<0xb0, "areturn", FmtNone, "A>", CatControl, [{Return}]> { let EndsBlock = 1; let Throws = [OfMonitor]; }
def RETURN          : Opcode<0xb1, "return", FmtNone, ">", CatControl, [{Return}]> { let EndsBlock = 1; let Throws = [OfMonitor]; }
def GETSTATIC       : Opcode<0xb2, "getstatic", FmtCP2, ">v", CatField, [{FieldAccess}]> { let Throws = [OfLink, OfInit]; let PoolTags = [{tagBit(CPTag::Fieldref)}]; }
def PUTSTATIC       : Opcode<0xb3, "putstatic", FmtCP2, "v>", CatField, [{FieldAccess}]> { let Throws = [OfLink, OfInit]; let PoolTags = [{tagBit(CPTag::Fieldref)}]; }
def GETFIELD        : Opcode<0xb4, "getfield", FmtCP2, "c>v", CatField, [{FieldAccess}]> { let Throws = [OfNull, OfLink]; let PoolTags = [{tagBit(CPTag::Fieldref)}]; }
def PUTFIELD        : Opcode<0xb5, "putfield", FmtCP2, "cv>", CatField, [{FieldAccess}]> { let Throws = [OfNull, OfLink]; let PoolTags = [{tagBit(CPTag::Fieldref)}]; }
def INVOKEVIRTUAL   : Opcode<0xb6, "invokevirtual", FmtCP2, "cm>m", CatInvoke, [{Invoke}]> { let Throws = [OfNull, OfLink, OfUser]; let PoolTags = [{tagBit(CPTag::Methodref)}]; }
def INVOKESPECIAL   : Opcode<0xb7, "invokespecial", FmtCP2, "cm>m", CatInvoke, [{Invoke}]> { let Throws = [OfNull, OfLink, OfUser]; let PoolTags = [{AnyMethodTags}]; }
def INVOKESTATIC    : Opcode<0xb8, "invokestatic", FmtCP2, "m>m", CatInvoke, [{Invoke}]> { let Throws = [OfLink, OfInit, OfUser]; let PoolTags = [{AnyMethodTags}]; }
def INVOKEINTERFACE : Opcode<0xb9, "invokeinterface", FmtInvokeInterface, "cm>m", CatInvoke, [{Invoke}]> { let Throws = [OfNull, OfLink, OfUser]; let PoolTags = [{tagBit(CPTag::InterfaceMethodref)}]; }
def INVOKEDYNAMIC   : Opcode<0xba, "invokedynamic", FmtInvokeDynamic, "m>m", CatInvoke, [{Invoke}]> { let Since = 51; let Throws = [OfLink, OfUser]; let PoolTags = [{tagBit(CPTag::InvokeDynamic)}]; }
def NEW             : Opcode<0xbb, "new", FmtCP2, ">u", CatObject, [{New}]> { let Throws = [OfLink, OfInit]; let PoolTags = [{tagBit(CPTag::Class)}]; }
def NEWARRAY        : Opcode<0xbc, "newarray", FmtNewArray, "I>p", CatObject, [{NewArray}]> { let Throws = [OfSize]; }
def ANEWARRAY       : Opcode<0xbd, "anewarray", FmtCP2, "I>a", CatObject, [{ClassOp}]> { let Throws = [OfSize, OfLink]; let PoolTags = [{tagBit(CPTag::Class)}]; }
def ARRAYLENGTH     : Opcode<0xbe, "arraylength", FmtNone, "A>I", CatArray, [{Plain}]> { let Throws = [OfNull]; let Elements = "IJFDBZCSL["; }
def ATHROW          : Opcode<0xbf, "athrow", FmtNone, "A>", CatControl, [{Throw}]> { let EndsBlock = 1; let Throws = [OfNull, OfMonitor, OfUser]; }
def CHECKCAST       : Opcode<0xc0, "checkcast", FmtCP2, "A>c", CatObject, [{ClassOp}]> { let Throws = [OfCast, OfLink]; let PoolTags = [{tagBit(CPTag::Class)}]; }
def INSTANCEOF      : Opcode<0xc1, "instanceof", FmtCP2, "A>I", CatObject, [{ClassOp}]> { let Throws = [OfLink]; let PoolTags = [{tagBit(CPTag::Class)}]; }
def MONITORENTER    : Opcode<0xc2, "monitorenter", FmtNone, "A>", CatMonitor, [{Plain}]> { let Throws = [OfNull]; let TakesUninitialised = 1; }
def MONITOREXIT     : Opcode<0xc3, "monitorexit", FmtNone, "A>", CatMonitor, [{Plain}]> { let Throws = [OfNull, OfMonitor]; let TakesUninitialised = 1; }
def WIDE            : Opcode<0xc4, "wide", FmtWide, ">", CatExtended, [{Stack}]>;
def MULTIANEWARRAY  : Opcode<0xc5, "multianewarray", FmtMultiANewArray, "n>c", CatObject, [{MultiNewArray}]> { let Throws = [OfSize, OfLink]; let PoolTags = [{tagBit(CPTag::Class)}]; }
def IFNULL          : Opcode<0xc6, "ifnull", FmtBranch2, "A>", CatControl, [{If}]> { let Branches = 1; let TakesUninitialised = 1; }
def IFNONNULL       : Opcode<0xc7, "ifnonnull", FmtBranch2, "A>", CatControl, [{If}]> { let Branches = 1; let TakesUninitialised = 1; }
def GOTO_W          : Opcode<0xc8, "goto_w", FmtBranch4, ">", CatControl, [{Goto}]> { let Branches = 1; let EndsBlock = 1; let Canonical = 0xa7; }
def JSR_W           : Opcode<0xc9, "jsr_w", FmtBranch4, ">R", CatControl, [{Subroutine}]> { let Until = 50; let Branches = 1; let Canonical = 0xa8; }

def OpcodeEnum : GenericEnum {
  let FilterClass = "Opcode";
  let ValueField = "Encoding";
}
def FailureEnum : GenericEnum {
  let FilterClass = "Failure";
  let ValueField = "Bit";
}
def FormatEnum : GenericEnum { let FilterClass = "Format"; }
def CategoryEnum : GenericEnum { let FilterClass = "Category"; }

def OpcodeTable : GenericTable {
  let FilterClass = "Opcode";
  let CppTypeName = "OpcodeInfo";
  let Fields = ["Encoding", "Mnemonic", "Fmt", "Length", "IndexBytes",
                "Effect", "Cat", "Canonical", "Slot", "PoolTags", "Elements",
                "TakesUninitialised", "Since", "Until", "Failures", "MayThrow",
                "Branches", "EndsBlock"];
  string TypeOf_Fmt = "FormatEnum";
  string TypeOf_Cat = "CategoryEnum";
}
