//===- utils/jcstress/MetricStress.java - measures of several threads -----===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package jopt.probe;

import org.openjdk.jcstress.annotations.*;
import org.openjdk.jcstress.infra.results.*;

/** What threads count, measure and keep at once is all there, and no more than was asked for. */
public class MetricStress {
  private MetricStress() {}

  @JCStressTest
  @Outcome(id = "5", expect = Expect.ACCEPTABLE, desc = "all that was counted")
  @State
  public static class Counts {
    final Counter counter = new Counter("c");

    @Actor
    public void one() {
      counter.add(1);
      counter.add(1);
    }

    @Actor
    public void other() {
      counter.add(3);
    }

    @Arbiter
    public void sum(J_Result r) {
      r.r1 = counter.sum();
    }
  }

  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "two numbers")
  @State
  public static class Numbers {
    int one, other;

    @Actor
    public void one() {
      one = Slots.current();
    }

    @Actor
    public void other() {
      other = Slots.current();
    }

    @Arbiter
    public void differ(I_Result r) {
      r.r1 = one >= 0 && other >= 0 && one != other ? 1 : 0;
    }
  }

  @JCStressTest
  @Outcome(id = "3, 4000000", expect = Expect.ACCEPTABLE, desc = "all values, and the largest")
  @State
  public static class Values {
    final Histogram histogram = new Histogram("h", 1, 8);

    @Actor
    public void one() {
      histogram.record(1);
      histogram.record(4_000_000);
    }

    @Actor
    public void other() {
      histogram.record(1_000);
    }

    @Arbiter
    public void all(JJ_Result r) {
      Distribution all = histogram.distribution();
      r.r1 = all.count();
      r.r2 = all.max();
    }
  }

  @JCStressTest
  @Outcome(id = {"0", "1", "2"}, expect = Expect.ACCEPTABLE, desc = "what was recorded so far")
  @State
  public static class ValuesWhileTheyCome {
    final Histogram histogram = new Histogram("h", 1, 8);

    @Actor
    public void one() {
      histogram.record(1);
      histogram.record(4_000_000);
    }

    @Actor
    public void reader(J_Result r) {
      Distribution all = histogram.distribution();
      // A value whose count is there has been compared.
      r.r1 = all.count() == 2 && all.max() != 4_000_000 ? -1 : all.count();
    }
  }

  @JCStressTest
  @Outcome(id = "true, 2", expect = Expect.ACCEPTABLE, desc = "one counter, which counts both")
  @State
  public static class Keys {
    final Keyed<Counter> keyed = Keyed.of("k", () -> new Counter("k"));
    Counter one, other;

    @Actor
    public void one() {
      (one = keyed.of("key")).add();
    }

    @Actor
    public void other() {
      (other = keyed.of("key")).add();
    }

    @Arbiter
    public void sum(ZJ_Result r) {
      r.r1 = one == other;
      r.r2 = one.sum();
    }
  }

  @JCStressTest
  @Outcome(id = {"true, false, 1", "false, true, 1"}, expect = Expect.ACCEPTABLE, desc = "there is room for one")
  @State
  public static class Room {
    final BoundedMap<String, String> map = new BoundedMap<>(1);

    @Actor
    public void one(ZZI_Result r) {
      r.r1 = map.put("a", "one");
    }

    @Actor
    public void other(ZZI_Result r) {
      r.r2 = map.put("b", "other");
    }

    @Arbiter
    public void size(ZZI_Result r) {
      r.r3 = map.size() + (map.get("a") == null == r.r1 || map.get("b") == null == r.r2 ? 100 : 0);
    }
  }

  @JCStressTest
  @Outcome(id = {"0", "1"}, expect = Expect.ACCEPTABLE, desc = "as many as it keeps")
  @State
  public static class PutAndRemove {
    final BoundedMap<String, String> map = new BoundedMap<>(4);

    @Actor
    public void put() {
      map.put("a", "one");
    }

    @Actor
    public void putAgain() {
      map.put("a", "other");
    }

    @Actor
    public void remove() {
      map.remove("a");
    }

    @Arbiter
    public void size(I_Result r) {
      r.r1 = map.size() != (map.get("a") == null ? 0 : 1) ? -1 : map.size();
    }
  }

  @JCStressTest
  @Outcome(id = {"true, false, 1", "false, true, 1"}, expect = Expect.ACCEPTABLE, desc = "one goes through")
  @State
  public static class First {
    final RateLimit limit = RateLimit.first(1);

    @Actor
    public void one(ZZJ_Result r) {
      r.r1 = limit.take();
    }

    @Actor
    public void other(ZZJ_Result r) {
      r.r2 = limit.take();
    }

    @Arbiter
    public void refused(ZZJ_Result r) {
      r.r3 = limit.refused();
    }
  }
}
