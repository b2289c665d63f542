// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf.timer;

/** Statistics of the durations of a timer, in nanoseconds. */
public final class Statistics {
  private final long count;
  private final double min;
  private final double max;
  private final double average;
  private final double standardDeviation;

  /**
   * Makes a result.
   *
   * @param count how many durations
   * @param min the shortest
   * @param max the longest
   * @param average their mean
   * @param standardDeviation the sample standard deviation
   */
  public Statistics(
      long count,
      double min,
      double max,
      double average,
      double standardDeviation) {
    this.count = count;
    this.min = min;
    this.max = max;
    this.average = average;
    this.standardDeviation = standardDeviation;
  }

  /**
   * How many durations there were.
   *
   * @return the number
   */
  public long count() {
    return count;
  }

  /**
   * The shortest one.
   *
   * @return nanoseconds; NaN without any
   */
  public double min() {
    return min;
  }

  /**
   * The longest one.
   *
   * @return nanoseconds; NaN without any
   */
  public double max() {
    return max;
  }

  /**
   * Their mean.
   *
   * @return nanoseconds; NaN without any
   */
  public double average() {
    return average;
  }

  /**
   * Their sample standard deviation.
   *
   * @return nanoseconds; NaN for fewer than two
   */
  public double standardDeviation() {
    return standardDeviation;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Statistics)) {
      return false;
    }
    Statistics that = (Statistics) other;
    return count == that.count
        && Double.compare(min, that.min) == 0
        && Double.compare(max, that.max) == 0
        && Double.compare(average, that.average) == 0
        && Double.compare(standardDeviation, that.standardDeviation) == 0;
  }

  @Override
  public int hashCode() {
    return Double.hashCode(average) * 31 + Long.hashCode(count);
  }

  @Override
  public String toString() {
    return "Statistics[count=" + count + ", min=" + min + ", max=" + max
        + ", average=" + average + ", standardDeviation=" + standardDeviation
        + "]";
  }
}
