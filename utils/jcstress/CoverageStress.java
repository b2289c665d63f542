//===- utils/jcstress/CoverageStress.java - arrays of covered classes -----===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package jopt.boot.coverage;

import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.*;
import org.openjdk.jcstress.infra.results.*;

/** A class has one array, whoever asks first. */
public class CoverageStress {
  private CoverageStress() {}

  private static final AtomicLong ids = new AtomicLong();

  @JCStressTest
  @Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "one array")
  @State
  public static class OneArray {
    final long id = ids.incrementAndGet();
    CoveredArray one, other;

    @Actor
    public void one() {
      one = CoveredArray.of(OneArray.class, "jacoco", id, 1, null);
    }

    @Actor
    public void other() {
      other = CoveredArray.of(OneArray.class, "jacoco", id, 1, null);
    }

    @Arbiter
    public void same(Z_Result r) {
      r.r1 = one == other;
      CoveredArray.takeNew();
      CoveredArray.remove(one);
    }
  }
}
