"""Writes Wide.java: so many variables and constants that wide and ldc_w are needed."""

variables = "".join("    int a%d = k;\n" % n for n in range(260))
constants = " + ".join("%d.5f * k" % n for n in range(300))
print("""class Wide {
  static void run(int k) {
%s    a259 += 3; a259++; a259 += 1000; long b = a259; float c = a258; double d = a257; Object o = "o" + a256;
    String s = "";
    for (int i = 0; i < 2; i++) { b += i; c += b; d += c; o = s; }
    Opcodes.si += a259; Opcodes.sl += b; Opcodes.sd += d; Opcodes.so = o; Opcodes.sf = %s;
    Opcodes.so = "the last constant";
  }
}""" % (variables, constants))
