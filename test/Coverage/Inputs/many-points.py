"""Prints a class with some 35,000 points of coverage."""
METHODS, TESTS = 160, 110
print("public class Many {")
for m in range(METHODS):
    print("  static int m%d(int i) {" % m)
    for t in range(TESTS):
        print("    if ((i & %d) == %d)\n      i += %d;" % (t % 7 + 1, t % 3, t))
    print("    return i;\n  }")
print("  public static void main(String[] args) {\n    int i = args.length;")
for m in range(METHODS):
    print("    i += m%d(i);" % m)
print("  }\n}")
