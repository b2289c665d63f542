# ways.py SEED: a Java program, Ways.java, whose methods branch, loop, switch, throw, catch,
# call and initialise classes by chance; it ends, and says what it computed.
import itertools
import random
import sys

r = random.Random(int(sys.argv[1]))
METHODS, HOLDERS = 16, 12
names = itertools.count()


def value(deep=0):
    kind = r.randrange(14 if deep < 2 else 5)
    if kind < 2:
        return str(r.randrange(-3, 9))
    if kind < 5:
        return r.choice(["a", "b", "n", "x", "this_.y"])
    if kind < 8:
        return "(%s %s %s)" % (value(deep + 1), r.choice("+-*^&"), value(deep + 1))
    if kind == 8:
        return "(%s / %s)" % (value(deep + 1), value(deep + 1))
    if kind == 9:
        return "array[%s]" % value(deep + 1)
    if kind == 10:
        return "(%s ? %s : %s)" % (test(), value(deep + 1), value(deep + 1))
    if kind == 11:
        n = r.randrange(HOLDERS)
        return r.choice(["H%d.s", "H%d.of(a)", "new H%d(a).f", "(H%d.s = b)"]) % n
    if kind == 12:
        return "((Ways) any(%s)).y" % value(deep + 1)
    return "%sm%d(%s, %s)" % (r.choice(["", "this_."]), r.randrange(METHODS), value(deep + 1), value(deep + 1))


def test():
    kind = r.choice([0, 0, 0, 1, 2, 3, 4])
    if kind == 0:
        return "n + %s %s %s" % (value(2), r.choice(["<", "==", ">=", "!="]), value(2))
    if kind == 1:
        return "(%s && %s)" % (test(), test())
    if kind == 2:
        return "(%s || !(%s))" % (test(), test())
    if kind == 3:
        return "any(%s) %s null" % (value(2), r.choice(["==", "!="]))
    return "(any(%s) instanceof Ways)" % value(2)


def block(deep, loops):
    return "{ budget();\n" + "\n".join(statement(deep, loops) for _ in range(r.randrange(1, 3))) + " }"


def statement(deep, loops):
    kind = r.randrange(17 if deep < 3 else 5)
    if kind < 3:
        return "%s = %s;" % (r.choice(["a", "b", "x", "this_.y", "array[1]"]), value())
    if kind == 3:
        return "x += m%d(%s, %s);" % (r.randrange(METHODS), value(), value())
    if kind == 4:
        if loops and r.random() < 0.6:
            return "if (%s) %s;" % (test(), r.choice(["break", "continue", r.choice(["break ", "continue "]) + r.choice(loops)]))
        return "if (%s) %s" % (test(), r.choice(["return %s;" % value(), 'throw new %s("w");' % r.choice(KINDS)]))
    if kind < 8:
        return "if (%s) %s%s" % (test(), block(deep + 1, loops), " else " + block(deep + 1, loops) if r.random() < 0.6 else "")
    if kind < 10:
        label = "l%d" % next(names)
        inside = loops + [label]
        return label + ": " + r.choice([
            "for (int i{0} = 0; i{0} < {1}; i{0}++) {2}".format(next(names), r.randrange(4), block(deep + 1, inside)),
            "while (%s) %s" % (test(), block(deep + 1, inside)),
            "do %s while (%s);" % (block(deep + 1, inside), test())])
    if kind < 12:
        cases = r.sample(range(-2, 9), r.randrange(1, 6))
        if r.random() < 0.3:
            cases = [c * 1000 for c in cases]
        body = " ".join("case %d: %s%s" % (c, statement(deep + 1, []), r.choice(["", "", " break;"]) ) for c in cases)
        return "switch (%s) { %s default: x++; }" % (value(), body)
    if kind < 16:
        text = "try " + block(deep + 1, loops)
        kinds = r.sample(KINDS[:-1], r.randrange(0, 3))
        for c in kinds:
            text += " catch (%s e%d) %s" % (c, next(names), block(deep + 1, loops))
        if not kinds or r.random() < 0.4:
            text += " finally { x++; %s }" % statement(4, [])
        return text
    return "synchronized (lock(%s)) %s" % (value(), block(deep + 1, loops))


KINDS = ["ArithmeticException", "IndexOutOfBoundsException", "NullPointerException", "ClassCastException",
         "IllegalStateException", "IllegalArgumentException"]

print("public class Ways {")
print("  static int n, x; static int[] array = {1, 2, 3, 4, 5}; int y = 3; static Ways this_ = new Ways();")
print("  static int left, depth; static final class End extends Error { }")
print("  static void budget() { if (--left < 0) throw new End(); }")
print("  static Object any(int k) { return k % 5 == 0 ? null : k % 7 == 0 ? \"s\" : this_; }")
print("  static Object lock(int k) { return k % 9 == 0 ? null : this_; }")
for i in range(METHODS):
    how = r.choice(["static ", "static synchronized ", "static "])
    print("  %sint m%d(int a, int b) { budget(); if (++depth > 40) { depth--; return a; } try { return w%d(a, b); } finally { depth--; } }" % (how, i, i))
    print("  static int w%d(int a, int b) {" % i)
    for _ in range(r.randrange(1, 5)):
        print("    " + statement(0, []))
    print("    return %s; }" % value())
print("  public static void main(String[] args) throws Exception {")
print("    Thread[] all = new Thread[2];")
print("    for (int t = 0; t < 3; t++) { int u = t; Runnable go = () -> {")
for i in range(METHODS):
    print("      left = 400; depth = 0; try { x += m%d(u, %d); } catch (RuntimeException e) { x += e.getClass().getName().length(); } catch (Error e) { x += 7; }" % (i, i))
print("      n = 1 / (2 - u); };")
print("      Thread it = new Thread(go); it.setUncaughtExceptionHandler((a, b) -> x++); it.start(); it.join(); }")
print("    System.out.println(x); } }")
for i in range(HOLDERS):
    print("class H%d%s { static int s = %s; int f; H%d(int a) { %sf = 6 / (a & 3); } static int of(int a) { return s + a; } %s }" % (
        i, " extends H%d" % (i - 1) if i % 3 == 2 else "", r.choice(["3", "Ways.array.length", "H%d.of(2)" % r.randrange(HOLDERS), "1 / (Ways.n & 1)"]), i,
        "super(a + 1); " if i % 3 == 2 else "", "static { for (int k = 0; k < 2; k++) s += k; }"))
