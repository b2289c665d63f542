// A unit that is given the names of its method gets those of each method, also
// where patched bodies share the code of units.
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: javac -d in A.java
// RUN: jopt -q -patch=check -verify-output -probes=names.xml -probe-package=p in -o out
// RUN: java -Xverify:all -cp out A | FileCheck %s
// CHECK: main([Ljava/lang/String;)V
// CHECK-NEXT: one()V
// CHECK-NEXT: two(I)V
//--- A.java
class A {
  public static void main(String[] a) { one(); two(1); }
  static void one() { }
  static void two(int i) { }
}
//--- names.xml
<probekit>
  <probe>
    <target className="A" method="&lt;init&gt;" type="exclude"/>
    <target className="A" type="include"/>
    <target type="exclude"/>
    <fragment type="executableUnit">
      <data type="methodName" name="m"/>
      <data type="methodSig" name="s"/>
      <code>if (SEEN.add(m)) System.out.println(m + s);</code>
    </fragment>
    <fragmentAtClassScope>static final java.util.Set&lt;String&gt; SEEN = new java.util.HashSet&lt;String&gt;();</fragmentAtClassScope>
  </probe>
</probekit>
