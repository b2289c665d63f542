// Printed, parsed and printed again: the same text; and lowered: the same bytes
// as those of relower.
// RUN: rm -rf %t && mkdir %t && javac -g -d %t %s
// RUN: jopt -S %t/Roundtrip.class -o %t/once.jir
// RUN: jopt -S %t/once.jir -o %t/twice.jir && cmp %t/once.jir %t/twice.jir
// RUN: jopt %t/once.jir -o %t/text.class
// RUN: jopt -passes=relower %t/Roundtrip.class -o %t/relower.class
// RUN: cmp %t/text.class %t/relower.class
// RUN: FileCheck %s < %t/once.jir
import java.util.List;

@Deprecated(since = "9")
class Roundtrip<T extends Comparable<T>> {
  // CHECK: class super Roundtrip extends java/lang/Object version 61.0 {
  // CHECK: field static final L:J {
  // CHECK-NEXT: attribute ConstantValue = long 5
  static final long L = 5;

  // CHECK: method static sum:([ILjava/util/List;)I {
  // CHECK: try t0 -> [[H:b[0-9]+]] catch java/lang/RuntimeException
  static int sum(int[] values, List<String> names) {
    int sum = 0;
    // CHECK: b1 @{{.*}} frame {{\[\[I}}, java/util/List, int, [I, int, int]:
    for (int v : values)
      sum += v;
    try {
      System.out.println(names.get(sum));
    } catch (RuntimeException e) {
      // CHECK: [[H]](%{{[0-9]+}}:java/lang/RuntimeException) @{{[0-9]+}} handler frame {{\[\[I}}, java/util/List, int]:
      sum = -1;
    }
    Runnable r = () -> System.out.println(values.length);
    r.run();
    return sum;
  }
  // CHECK: attribute Signature = "([ILjava/util/List<Ljava/lang/String;>;)I"
  // CHECK: attribute RuntimeVisibleAnnotations = [
  // CHECK-NEXT: {type "Ljava/lang/Deprecated;" values [{"since" string "9"}]}
}
