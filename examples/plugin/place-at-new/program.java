// RUN: rm -rf %t && mkdir %t && cp %s %t/Program.java && javac -d %t/in %t/Program.java
// RUN: jopt -load-pass-plugin=%plugin -probes=%S/count.xml -passes=place-at-new,lower-advice \
// RUN:   -stats %t/in -o %t/out 2>&1 | FileCheck %s --check-prefix=STATS
// RUN: java -Xverify:all -cp %t/out Program | FileCheck %s
// STATS: 3 {{.*}}Instructions new
public class Program {
  Object kept = new Object();

  static int twice(int a) {
    return new StringBuilder().append(a).append(a).length();
  }

  public static void main(String[] arguments) {
    System.out.println(twice(12) + new Program().kept.getClass().getName());
  }
}
// CHECK: twice 1
// CHECK-NEXT: main 2
// CHECK-NEXT: <init> 3
// CHECK-NEXT: 4java.lang.Object
