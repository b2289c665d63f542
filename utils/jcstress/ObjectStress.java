//===- utils/jcstress/ObjectStress.java - data of objects -----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package jopt.probes.internal;

import org.openjdk.jcstress.annotations.*;
import org.openjdk.jcstress.infra.results.*;

/** Fields that probes add to objects of the program. */
public class ObjectStress {
  private ObjectStress() {}

  static final class Value {
    int a, b; // not final: they show whether the value was published

    Value(int n) {
      a = n;
      b = n;
    }
  }

  @JCStressTest
  @Outcome(id = {"0", "1", "2"}, expect = Expect.ACCEPTABLE, desc = "nothing yet, or one of them whole")
  @State
  public static class Putting {
    final WeakIdentityMap<Value> map = new WeakIdentityMap<>();
    final Object key = new Object();

    @Actor
    public void writer() {
      map.put(key, new Value(1));
      map.put(key, new Value(2));
    }

    @Actor
    public void reader(I_Result r) {
      Value seen = map.get(key);
      if (seen == null) return;
      int a = seen.a, b = seen.b;
      r.r1 = a == b ? a : -1;
    }
  }

  @JCStressTest
  @Outcome(id = {"true, true, 1", "true, true, 2"}, expect = Expect.ACCEPTABLE, desc = "one is put, and both see it")
  @State
  public static class PuttingIfAbsent {
    final WeakIdentityMap<Integer> map = new WeakIdentityMap<>();
    final Object key = new Object();
    Integer one, other;

    @Actor
    public void one() {
      one = map.putIfAbsent(key, 1);
    }

    @Actor
    public void other() {
      other = map.putIfAbsent(key, 2);
    }

    @Arbiter
    public void agree(ZZI_Result r) {
      r.r1 = (one == null) != (other == null);
      r.r3 = map.get(key);
      r.r2 = r.r3 == (one == null ? 1 : 2) && r.r3 == (one == null ? other : one);
    }
  }

  @JCStressTest
  @Outcome(id = "true, true, true", expect = Expect.ACCEPTABLE, desc = "all are found while the map grows")
  @State
  public static class Growing {
    final WeakIdentityMap<Integer> map = new WeakIdentityMap<>();
    final Object[] some = objects(), more = objects();
    boolean found = true;

    private static Object[] objects() {
      Object[] made = new Object[100];
      for (int i = 0; i < made.length; i++) made[i] = new Object();
      return made;
    }

    @Actor
    public void one(ZZZ_Result r) {
      r.r1 = fill(some);
    }

    @Actor
    public void other(ZZZ_Result r) {
      r.r2 = fill(more);
    }

    private boolean fill(Object[] keys) {
      boolean all = true;
      for (int i = 0; i < keys.length; i++) {
        map.put(keys[i], i);
        all &= map.get(keys[i / 2]) == i / 2;
      }
      return all;
    }

    @Arbiter
    public void all(ZZZ_Result r) {
      r.r3 = true;
      for (int i = 0; i < some.length; i++) r.r3 &= map.get(some[i]) == i && map.get(more[i]) == i;
    }
  }
}
