//===- utils/jcstress/HostStress.java - what belongs to a class -----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package jopt.boot;

import org.openjdk.jcstress.annotations.*;
import org.openjdk.jcstress.infra.results.*;

/** Threads that ask for the first time at once get one and the same. */
public class HostStress {
  private HostStress() {}

  @JCStressTest
  @Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "one cell for a request")
  @State
  public static class Cells {
    final Store store = new Store(Cells.class);
    final String request = new String("r");
    Cell one, other;

    @Actor
    public void one() {
      one = store.cell(request);
    }

    @Actor
    public void other() {
      store.cell("another");
      other = store.cell(request);
    }

    @Arbiter
    public void same(Z_Result r) {
      r.r1 = one == other && one.request == request && store.cell(request) == one;
    }
  }

  @JCStressTest
  @Outcome(id = {"true, true", "true, false"}, expect = Expect.ACCEPTABLE, desc = "all but what was taken out")
  @State
  public static class Chains {
    final Chain<String> chain = new Chain<>();
    boolean replaced;

    @Actor
    public void add() {
      chain.add("a");
    }

    @Actor
    public void replace() {
      Chain.Node<String> seen = chain.first();
      replaced = chain.replace(seen, new Chain.Node<>("b", seen));
    }

    @Arbiter
    public void all(ZZ_Result r) {
      int a = 0, b = 0;
      for (Chain.Node<String> n = chain.first(); n != null; n = n.next)
        if (n.value.equals("a")) a++;
        else b++;
      r.r1 = a == 1 && b == (replaced ? 1 : 0) && chain.first().length == a + b;
      r.r2 = replaced;
    }
  }
}
