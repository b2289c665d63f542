//===- Folding.td - What opcodes make of constants ---------*- tablegen -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One record for each opcode whose result follows from constant operands, with
// the C++ expression that computes it, of the constants A and B: i() and l() are
// their values, u() and ul() the same without a sign, f() and d() those of
// floating-point numbers. Whatever is NaN is not folded, as its bits depend on
// the processor. test/Optimize/folding.test compares the records with a JVM.
//
//===----------------------------------------------------------------------===//

include "jopt/Bytecode/Opcodes.td"

class Fold<Opcode op, string result, string expression> {
  bits<8> Encoding = op.Encoding;
  string Function = "[](Constant A, Constant B) -> std::optional<Constant> { "
                    "return Constant::" # result # "(" # expression # "); }";
}
class FoldInt<Opcode op, string expression> : Fold<op, "ofInt", expression>;
class FoldLong<Opcode op, string expression> : Fold<op, "ofLong", expression>;
class FoldFloat<Opcode op, string expression> : Fold<op, "ofFloat", expression>;
class FoldDouble<Opcode op, string expression> : Fold<op, "ofDouble", expression>;

def : FoldInt<IADD, "A.u() + B.u()">;
def : FoldInt<ISUB, "A.u() - B.u()">;
def : FoldInt<IMUL, "A.u() * B.u()">;
def : FoldInt<IDIV, "divide(A.i(), B.i())">;
def : FoldInt<IREM, "remainder(A.i(), B.i())">;
def : FoldInt<INEG, "0 - A.u()">;
def : FoldInt<ISHL, "A.u() << (B.u() & 31)">;
def : FoldInt<ISHR, "uint32_t(A.i() >> (B.u() & 31))">;
def : FoldInt<IUSHR, "A.u() >> (B.u() & 31)">;
def : FoldInt<IAND, "A.u() & B.u()">;
def : FoldInt<IOR, "A.u() | B.u()">;
def : FoldInt<IXOR, "A.u() ^ B.u()">;
def : FoldInt<I2B, "uint32_t(int8_t(A.u()))">;
def : FoldInt<I2C, "uint32_t(uint16_t(A.u()))">;
def : FoldInt<I2S, "uint32_t(int16_t(A.u()))">;

def : FoldLong<LADD, "A.ul() + B.ul()">;
def : FoldLong<LSUB, "A.ul() - B.ul()">;
def : FoldLong<LMUL, "A.ul() * B.ul()">;
def : FoldLong<LDIV, "divide(A.l(), B.l())">;
def : FoldLong<LREM, "remainder(A.l(), B.l())">;
def : FoldLong<LNEG, "0 - A.ul()">;
def : FoldLong<LSHL, "A.ul() << (B.u() & 63)">;
def : FoldLong<LSHR, "uint64_t(A.l() >> (B.u() & 63))">;
def : FoldLong<LUSHR, "A.ul() >> (B.u() & 63)">;
def : FoldLong<LAND, "A.ul() & B.ul()">;
def : FoldLong<LOR, "A.ul() | B.ul()">;
def : FoldLong<LXOR, "A.ul() ^ B.ul()">;

def : FoldFloat<FADD, "A.f() + B.f()">;
def : FoldFloat<FSUB, "A.f() - B.f()">;
def : FoldFloat<FMUL, "A.f() * B.f()">;
def : FoldFloat<FDIV, "A.f() / B.f()">;
def : FoldFloat<FREM, "std::fmod(A.f(), B.f())">;
def : FoldFloat<FNEG, "-A.f()">;
def : FoldDouble<DADD, "A.d() + B.d()">;
def : FoldDouble<DSUB, "A.d() - B.d()">;
def : FoldDouble<DMUL, "A.d() * B.d()">;
def : FoldDouble<DDIV, "A.d() / B.d()">;
def : FoldDouble<DREM, "std::fmod(A.d(), B.d())">;
def : FoldDouble<DNEG, "-A.d()">;

def : FoldLong<I2L, "uint64_t(int64_t(A.i()))">;
def : FoldFloat<I2F, "float(A.i())">;
def : FoldDouble<I2D, "double(A.i())">;
def : FoldInt<L2I, "uint32_t(A.ul())">;
def : FoldFloat<L2F, "float(A.l())">;
def : FoldDouble<L2D, "double(A.l())">;
def : FoldInt<F2I, "toInteger<int32_t>(A.f())">;
def : FoldLong<F2L, "toInteger<int64_t>(A.f())">;
def : FoldDouble<F2D, "double(A.f())">;
def : FoldInt<D2I, "toInteger<int32_t>(A.d())">;
def : FoldLong<D2L, "toInteger<int64_t>(A.d())">;
def : FoldFloat<D2F, "float(A.d())">;

def : FoldInt<LCMP, "compare(A.l(), B.l(), 0)">;
def : FoldInt<FCMPL, "compare(A.f(), B.f(), -1)">;
def : FoldInt<FCMPG, "compare(A.f(), B.f(), 1)">;
def : FoldInt<DCMPL, "compare(A.d(), B.d(), -1)">;
def : FoldInt<DCMPG, "compare(A.d(), B.d(), 1)">;

// Branches: 1 where they are taken.
def : FoldInt<IFEQ, "A.i() == 0">;
def : FoldInt<IFNE, "A.i() != 0">;
def : FoldInt<IFLT, "A.i() < 0">;
def : FoldInt<IFGE, "A.i() >= 0">;
def : FoldInt<IFGT, "A.i() > 0">;
def : FoldInt<IFLE, "A.i() <= 0">;
def : FoldInt<IF_ICMPEQ, "A.i() == B.i()">;
def : FoldInt<IF_ICMPNE, "A.i() != B.i()">;
def : FoldInt<IF_ICMPLT, "A.i() < B.i()">;
def : FoldInt<IF_ICMPGE, "A.i() >= B.i()">;
def : FoldInt<IF_ICMPGT, "A.i() > B.i()">;
def : FoldInt<IF_ICMPLE, "A.i() <= B.i()">;

def FoldTable : GenericTable {
  let FilterClass = "Fold";
  let CppTypeName = "FoldRow";
  let Fields = ["Encoding", "Function"];
  string TypeOf_Function = "code";
}

// Operands that change nothing: x op Right is x.
class Neutral<Opcode op, int right, bit commutes = 0> {
  bits<8> Encoding = op.Encoding;
  // In C++: negative numbers are none in TableGen's tables.
  string Right = !if(!lt(right, 0), "-1", !cast<string>(right));
  // x may stand at the right, too.
  bit Commutes = commutes;
}
def : Neutral<IADD, 0, 1>;
def : Neutral<LADD, 0, 1>;
def : Neutral<ISUB, 0>;
def : Neutral<LSUB, 0>;
def : Neutral<IMUL, 1, 1>;
def : Neutral<LMUL, 1, 1>;
def : Neutral<IDIV, 1>;
def : Neutral<LDIV, 1>;
def : Neutral<ISHL, 0>;
def : Neutral<LSHL, 0>;
def : Neutral<ISHR, 0>;
def : Neutral<LSHR, 0>;
def : Neutral<IUSHR, 0>;
def : Neutral<LUSHR, 0>;
def : Neutral<IAND, -1, 1>;
def : Neutral<LAND, -1, 1>;
def : Neutral<IOR, 0, 1>;
def : Neutral<LOR, 0, 1>;
def : Neutral<IXOR, 0, 1>;
def : Neutral<LXOR, 0, 1>;

def NeutralTable : GenericTable {
  let FilterClass = "Neutral";
  let CppTypeName = "NeutralRow";
  let Fields = ["Encoding", "Right", "Commutes"];
  string TypeOf_Right = "code";
}
