// The table that javac -Xjcov writes is known by its row in Attributes.td alone,
// and follows the code by it.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: javac -g -Xjcov -d %t/in %t/T.java && javap -c -v -cp %t/in T > %t/before
// RUN: jopt -q -verify-each -verify-output -probes=%t/p.xml %t/in -o %t/out
// RUN: javap -c -v -cp %t/out T > %t/after
// RUN: java -Xverify:all -cp %t/out T 2>&1 | FileCheck --check-prefix=OUT %s
// RUN: %{python} %S/Inputs/character_ranges.py %t/before %t/after | FileCheck %s
// RUN: not %{python} %S/Inputs/character_ranges.py %t/before %t/before
//
// OUT-COUNT-3: called sum
// OUT: 3 -1
//
// What was inserted in front of the call belongs to its statement, and what was
// inserted behind it does, too.
// CHECK: sum {{[0-9a-f-]+}} (0, 1) ['iconst_0', 'istore_1']
// CHECK: guarded {{[0-9a-f-]+}} (0, 6) [{{[^]]*}}'idiv', 'ireturn'] (0, {{[1-9][0-9]}}) [{{[^]]*}}'invokestatic',{{.*}}'invokestatic',{{.*}}'ireturn']
//
// Its text form parses back.
// RUN: jopt -q -S %t/out/T.class -o %t/T.jir && FileCheck --check-prefix=TEXT %s < %t/T.jir
// RUN: jopt -q %t/T.jir -o %t/again.class && cmp %t/out/T.class %t/again.class
// TEXT: attribute CharacterRangeTable = [{{$}}
// TEXT-NEXT: {@0..=@1 start 3077 end 3087 flags 1},
//
//--- p.xml
<probekit>
<probe>
<target className="T" method="sum" type="include"/>
<target type="exclude"/>
<fragment type="beforeCall">
<data type="methodName" name="name"/>
<code>System.out.println("called " + name);</code>
</fragment>
<fragment type="afterCall">
<data type="methodName" name="name"/>
<code>if (name == "x") System.out.println("never");</code>
</fragment>
</probe>
</probekit>
//--- T.java
public class T {
  static int sum(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
      if (i % 3 == 0)
        continue;
      s += i;
    }
    return s;
  }

  static int guarded(int n) {
    try {
      return sum(n) / n;
    } catch (ArithmeticException e) {
      return -sum(2);
    }
  }

  public static void main(String[] args) {
    System.out.println(guarded(9) + " " + guarded(0));
  }
}
