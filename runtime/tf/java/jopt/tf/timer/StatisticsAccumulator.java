// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf.timer;

import java.util.concurrent.atomic.AtomicReference;

/** Gathers samples. Any number of threads may add some, without a lock. */
public final class StatisticsAccumulator {
  /**
   * Count, extremes, mean and the sum of squared differences from the mean,
   * which unlike the sum of squares loses nothing for large equal samples.
   */
  private static final class Sums {
    static final Sums NONE = new Sums(0, Double.NaN, Double.NaN, Double.NaN, 0);
    final long count;
    final double min;
    final double max;
    final double mean;
    final double squares;

    Sums(long count, double min, double max, double mean, double squares) {
      this.count = count;
      this.min = min;
      this.max = max;
      this.mean = mean;
      this.squares = squares;
    }

    Sums plus(Sums other) {
      if (count == 0) {
        return other;
      }
      if (other.count == 0) {
        return this;
      }
      long total = count + other.count;
      double difference = other.mean - mean;
      return new Sums(
          total,
          Math.min(min, other.min),
          Math.max(max, other.max),
          mean + difference * other.count / total,
          squares
              + other.squares
              + difference * difference * count * other.count / total);
    }

    double deviation() {
      return count < 2 ? Double.NaN : Math.sqrt(squares / (count - 1));
    }
  }

  private final String unit;
  private final AtomicReference<Sums> sums = new AtomicReference<>(Sums.NONE);

  /**
   * Makes one without samples.
   *
   * @param unit what samples are measured in, for {@link #toString}
   */
  public StatisticsAccumulator(String unit) {
    this.unit = unit;
  }

  private void add(Sums more) {
    for (; ; ) {
      Sums old = sums.get();
      if (sums.compareAndSet(old, old.plus(more))) {
        return;
      }
    }
  }

  /**
   * Adds a sample.
   *
   * @param value the sample
   */
  public void sample(double value) {
    add(new Sums(1, value, value, value, 0));
  }

  /**
   * Adds the samples of another one.
   *
   * @param other the other one
   */
  public void augment(StatisticsAccumulator other) {
    add(other.sums.get());
  }

  /** Forgets all samples. */
  public void clearState() {
    sums.set(Sums.NONE);
  }

  /**
   * What samples are measured in.
   *
   * @return the unit
   */
  public String unit() {
    return unit;
  }

  /**
   * The statistics of the samples so far.
   *
   * @return a consistent copy
   */
  public Statistics getStats() {
    Sums s = sums.get();
    return new Statistics(s.count, s.min, s.max, s.mean, s.deviation());
  }

  @Override
  public String toString() {
    Statistics s = getStats();
    return "Minimum Value = " + s.min() + " " + unit
        + " Maximum Value = " + s.max() + " " + unit
        + " Average Value = " + s.average() + " " + unit
        + " Standard Deviation = " + s.standardDeviation() + " " + unit
        + " Samples Collected = " + s.count();
  }
}
