#!/usr/bin/env python3
# Writes a class as .jir: for each opcode that folds, a method that gives the
# results for pairs of numbers at the edges to Out. All likely results are in
# the pool, as no constant is made that is not there.
import itertools

INT = [-2**31, -2**31 + 1, -65536, -32769, -129, -33, -2, -1, 0, 1, 2, 5, 31,
       32, 33, 63, 64, 127, 128, 255, 256, 32768, 65535, 2**31 - 2, 2**31 - 1]
LONG = [-2**63, -2**63 + 1, -2**32, -2**31, -2, -1, 0, 1, 2, 63, 2**31,
        2**32 - 1, 2**62, 2**63 - 1]
REAL = ["inf", "-inf", "0", "-0", "1", "-1", "0.5", "3", "-7.5", "1e10",
        "-1e10", "1e20", "2147483648", "1e-40"]
BINARY = "add sub mul div rem".split()
BITS = "shl shr ushr and or xor".split()
TYPES = {"i": "int", "l": "long", "f": "float", "d": "double"}
VALUES = {"i": INT, "l": LONG, "f": REAL, "d": REAL}


def rows():
    for t in "ilfd":
        for op in BINARY + (BITS if t in "il" else []):
            right = "i" if "sh" in op else t
            yield t + op, t, right, t
        yield t + "neg", t, None, t
        for to in "ilfd":
            if to != t:
                yield f"{t}2{to}", t, None, to
    for op in ("i2b", "i2c", "i2s"):
        yield op, "i", None, "i"
    for op, t in (("lcmp", "l"), ("fcmpl", "f"), ("fcmpg", "f"), ("dcmpl", "d"),
                  ("dcmpg", "d")):
        yield op, t, t, "i"


def method(op, left, right, result):
    lines, n = [], 0
    pairs = itertools.product(VALUES[left], VALUES[right] if right else [None])
    for a, b in pairs:
        if b == 0 and ("div" in op or "rem" in op) and left in "il":
            continue
        lines.append(f"%{n}:{TYPES[left]} = const {TYPES[left]} {a}")
        uses = f"%{n}"
        if right:
            lines.append(f"%{n + 1}:{TYPES[right]} = const {TYPES[right]} {b}")
            uses += f", %{n + 1}"
        lines.append(f"%{n + 2}:{TYPES[result]} = {op} ({uses})")
        lines.append(f"invokestatic Out.p:({result.upper()})V (%{n + 2})")
        n += 3
    body = "\n".join(lines)
    return f"method static {op}_:()V {{ code slots 0 {{\nb0:\n{body}\nreturn\n}} }}"


def wrap(v, bits):
    v &= 2**bits - 1
    return v - 2**bits if v >> (bits - 1) else v


def results():
    """Whole numbers that may come out."""
    for bits, all_ in ((32, INT), (64, LONG)):
        found = set()
        for a, b in itertools.product(all_, all_ + INT[8:17]):
            for r in (a + b, a - b, a * b, a & b, a | b, a ^ b, -a,
                      a << (b & bits - 1), a >> (b & bits - 1),
                      (a & 2**bits - 1) >> (b & bits - 1)):
                found.add(wrap(r, bits))
            if b:
                q = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
                found |= {wrap(q, bits), wrap(a - q * b, bits)}
        yield from (("int" if bits == 32 else "long", r)
                    for r in sorted(found) if bits == 64 or not -2**15 <= r < 2**15)


def pool():
    """Methods that nobody calls and that name the results."""
    for n, chunk in enumerate(iter(lambda it=iter(results()):
                                   list(itertools.islice(it, 2000)), [])):
        lines = [f"%{i}:{t} = const {t} {v}\ninvokestatic Out.p:({t[0].upper().replace('L', 'J')})V (%{i})"
                 for i, (t, v) in enumerate(chunk)]
        body = "\n".join(lines)
        yield f"method static pool{n}:()V {{ code slots 0 {{\nb0:\n{body}\nreturn\n}} }}"


print("class public super F extends java/lang/Object version 61.0 {")
for m in pool():
    print(m)
for row in rows():
    print(method(*row).replace(":(L)V", ":(J)V"))
calls = "\n".join(f"invokestatic F.{r[0]}_:()V ()" for r in rows())
print("method public static main:([Ljava/lang/String;)V { code slots 1 {\nb0:\n"
      + calls + "\nreturn\n} }\n}")
