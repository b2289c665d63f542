# Writes a program of the ORB's shape: layers of classes with enclosing groups,
# several annotations to a class, info methods in loops and handlers, timing
# points, recursion, locks, and exceptions that cross layers.
"""usage: make_orb.py FOLDER CLASSES"""
import os
import random
import sys

LAYERS = ["Cdr", "Giop", "Transport", "Poa", "Naming", "Subcontract"]
GROUPS = {"Protocol": ["Cdr", "Giop"], "Server": ["Poa", "Naming"],
          "All": ["Protocol", "Transport", "Server", "Subcontract"]}

HEAD = """package orb;
import java.lang.annotation.*;
import java.util.*;
import jopt.tf.*;
import jopt.tf.annotation.*;
"""

# CALL(x) calls a method of another class with x, INFO tells something.
BODIES = [
    ("void", "for (int k = 0; k < n % 4; k++) { INFO(k) CALL(n - 1 - k); }"),
    ("int", """int sum = n;
    try {
      sum += CALL(n - 1);
      if (n % 5 == 4) throw new IllegalStateException("state " + n);
    } catch (IllegalStateException e) {
      INFO(e.getMessage())
      sum = -sum;
    }
    return sum;"""),
    ("String", """if (n <= 0) return null;
    String s = "";
    while (s.length() < n % 6) {
      s += (char) ('a' + s.length());
      INFO(s)
    }
    return s + CALL(n - 2);"""),
    ("long", """switch (n % 3) {
      case 0: INFO("zero") break;
      case 1: return CALL(n - 1) * 2L;
      default: INFO(n)
    }
    try {
      if (n % 7 == 6) throw new IllegalArgumentException("n" + n);
      total += n;
    } finally {
      INFO("finally")
    }
    return total;"""),
    ("boolean", """synchronized (this) {
      total ^= n;
      if (n == 3) throw new UnsupportedOperationException("locked");
    }
    INFO(new Object[] {n, null})
    return total % 2 == 0;"""),
    ("double", """if (n > 9) throw new ArithmeticException("deep");
    return n < 2 ? 0.5 : CALL(n - 1) / 3.0;"""),
    ("int[]", """int[] r = new int[n % 3];
    for (int k = 0; k < r.length; k++)
      try {
        r[k] = CALL(n - 1);
      } catch (RuntimeException e) {
        INFO(e.getClass().getSimpleName())
        if (n % 2 == 0) throw e;
      }
    return r;"""),
]


def annotation(name, groups):
    parts = ", ".join(g + ".class" for g in groups)
    return (HEAD + "@MethodMonitorGroup({%s})\n"
            "@Retention(RetentionPolicy.RUNTIME)\n"
            "public @interface %s {}\n" % (parts, name))


def main(folder, count):
    rnd = random.Random(count)
    target = os.path.join(folder, "orb")
    os.makedirs(target)

    def write(name, text):
        with open(os.path.join(target, name + ".java"), "w") as f:
            f.write(text)

    for layer in LAYERS:
        write(layer, annotation(layer, []))
    for group, parts in GROUPS.items():
        write(group, annotation(group, parts))
    classes = [("C%02d%s" % (i, LAYERS[i % len(LAYERS)]), LAYERS[i % len(LAYERS)])
               for i in range(count)]
    # int methods that others call, so that every call has a number.
    for i, (name, layer) in enumerate(classes):
        own = [layer] + ([rnd.choice(LAYERS)] if i % 3 == 0 else [])
        own = sorted(set(own))
        out = [HEAD]
        out += ["@%s" % a for a in own]
        out.append("public class %s {" % name)
        out.append("  static final %s IT = new %s();" % (name, name))
        out.append("  long total;")
        if i % 4 == 0:
            out.append("  static int made; static { made = %d; }" % i)
        out.append("  @InfoMethod private void note(Object o) {}")
        out.append("  @InfoMethod(tpType = TimingPointType.ENTER, "
                   "tpName = \"step\") private void begin(int k) {}")
        out.append("  @InfoMethod(tpType = TimingPointType.EXIT, "
                   "tpName = \"step\") private void end(long k, double d) {}")
        for m in range(rnd.randrange(3, 7)):
            result, body = rnd.choice(BODIES)
            if m == 0:
                result, body = BODIES[1]
            text = ""
            for part in body.split("INFO")[0:1]:
                text += part
            for part in body.split("INFO")[1:]:
                depth = 0
                for at, c in enumerate(part):
                    depth += (c == "(") - (c == ")")
                    if depth == 0:
                        break
                told = part[1:at]
                text += rnd.choice([
                    "note(%s);" % told,
                    "{ begin(n); note(%s); end(n, total / 2.0); }" % told])
                text += part[at + 1:]
            while "CALL" in text:
                other = rnd.choice(classes)[0]
                text = text.replace("CALL", other + ".IT.m0", 1)
            out.append("  @%s %s%s m%d(int n) {\n    if (n <= 0) return%s;\n    %s\n  }"
                       % (rnd.choice(own), rnd.choice(["", "public ", "protected ",
                                                       "final "]), result, m,
                          {"void": "", "boolean": " false", "String": " \"\"",
                           "int[]": " null"}.get(result, " 0"), text))
        out.append("  static void run(int n) {")
        for line in out:
            if line.startswith("  @") and " m" in line and "(int n)" in line:
                method = line.split("(int n)")[0].split()[-1]
                out.append("    try { IT.%s(n); } catch (RuntimeException e) "
                           "{ System.out.println(\"%s %s \" + e); }"
                           % (method, name, method))
        out.append("  }\n}")
        write(name, "\n".join(out) + "\n")
    write("Main", HEAD + """
public class Main {
  static void all(int n) {
%s
  }
  public static void main(String[] args) {
    all(3);
    for (Class<? extends Annotation> c
        : Arrays.<Class<? extends Annotation>>asList(%s)) {
      MethodMonitorRegistry.register(c, MethodMonitorFactoryDefaults.dprint());
      System.out.println(c);
      all(7);
      MethodMonitorRegistry.clear(c);
    }
  }
}
""" % ("\n".join("    %s.run(n);" % n for n, _ in classes),
            ", ".join(l + ".class" for l in LAYERS)))


main(sys.argv[1], int(sys.argv[2]))
