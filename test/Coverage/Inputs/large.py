"""Java whose methods and classes are as large as they may be: large.py FOLDER."""
import os
import sys

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)


def write(name, members):
    with open(os.path.join(folder, name + ".java"), "w") as f:
        f.write("public class %s {\n%s\n}\n" % (name, "\n".join(members)))


def branches(count, of="x"):
    return "".join(
        "if (%s %% %d == 1) n += %s;\n" % (of, k + 2, of) for k in range(count)
    )


# All that a descriptor can have: 255 slots.
ints = ["a%d" % i for i in range(255)]
longs = ["a%d" % i for i in range(127)]
write("Arguments", [
    "static int ints(%s) { int n = a254;" % ", ".join("int " + a for a in ints),
    branches(20, "a3"), "try { n /= a7; } finally { n++; } return n; }",
    "static long longs(%s) { long n = a126;" % ", ".join("long " + a for a in longs),
    branches(20, "a3"), "try { n /= a7; } finally { n++; } return n; }",
    "static String all() { return ints(%s) + \" \" + longs(%s); }" % (
        ", ".join(str(i) for i in range(255)),
        ", ".join(str(i) for i in range(127)))])

# Slots that only wide instructions reach.
write("Wide", ["static int all() { int n = 1;"] +
      ["long w%d = n + %d;" % (i, i) for i in range(200)] +
      ["int x = (int) w199; for (int i = 0; i < 5; i++) { x += i; w3++;"] +
      [branches(10), "} return n + (int) w3 + x; }"])

# One more probe than a short has numbers.
write("Many", ["static int m%d(int x) { int n = 0; %s return n; }" % (m, branches(200))
               for m in range(82)] +
      ["static int all() { int n = 0;"] +
      ["n += m%d(%d);" % (m, m) for m in range(82)] + ["return n; }"])

# Just below what HotSpot compiles, 8,000 bytes, and what a method may have.
write("Compiled", ["static int all() { int n = 0, x = 7; %s return n; }" % branches(620)])
write("Largest", ["static int some(int x) { return x > 3 ? 1 : 2; }",
                  "static int all() { int n = some(4), x = 7; %s return n; }" % branches(5040)])
with open(os.path.join(folder, "Large.java"), "w") as f:
    f.write("""public class Large {
  public static void main(String[] args) {
    System.out.println(Arguments.all());
    System.out.println(Wide.all());
    System.out.println(Many.all());
    System.out.println(Compiled.all());
    if (args.length > 0) System.out.println(Largest.all());
  }
}
""")
