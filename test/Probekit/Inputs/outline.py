"""Big.java, with methods that outgrow limits once they have probes."""
def body(n, tail, callee="add"):
    out = []
    for i in range(n):
        out.append(f"    s = {callee}(s, {i}, 2L, null);")
        if i % 40 == 0:
            out.append(f"    try {{ s = fail(s, {i}); }}")
            out.append("    catch (IllegalStateException e) { s ^= e.getMessage().length(); }")
        if i % 3 == 0:
            out.append(f"    if (s == {i}) s += 3;")
    return "\n".join(out) + "\n    " + tail


print("""import java.io.*;
public class Big implements Serializable {
  static int add(int a, int b, long c, String d) { return (a + b + (int) c) & 0xff; }
  static int plus(int a, int b, long c, String d) { return add(a, b, c, d); }
  static int fail(int s, int i) { if (i % 80 == 0) throw new IllegalStateException("no " + i); return s; }
  int f;
  private int jopt$0() { return 7; }
  static class Base { int jopt$2() { return 8; } }
  static class Sub extends Base { int twice() { return 2 * jopt$2(); } }
""")
for name, n in ("mid", 430), ("big", 1200):
    print(f"  static int {name}(byte b, double d, String t) {{\n    int s = b;")
    print(body(n, "return s;", "add" if name == "mid" else "plus"))
    print("  }")
print("  boolean inst(boolean x, Object... more) {\n    int s = 1;")
print(body(430, "f = s; return !x;"))
print("  }")
print("  Big(int x) {\n    super();\n    int s = x;")
print(body(430, "f = s;"))
print("  }")
print("  interface Deep { default int deep(int s) {")
print("\n".join(f"    s = Big.add(s, {i}, 2L, null);" for i in range(550)) + "\n    return s;\n  } }")
print("""  static class Impl implements Deep {}
  public static void main(String[] a) throws Exception {
    System.out.println("mid " + mid((byte) 3, .5, "t"));
    System.out.println("big " + big((byte) 4, .5, null));
    Big b = new Big(5);
    System.out.println("new " + b.f + " " + b.jopt$0() + " " + new Sub().twice() + ((Base) new Sub()).jopt$2());
    System.out.println("inst " + b.inst(true, 1, "2"));
    System.out.println("deep " + new Impl().deep(9));
    System.out.println("uid " + ObjectStreamClass.lookup(Big.class).getSerialVersionUID());
  }
}""")
