// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

/** The values of a {@link Histogram} at a moment. Does not change. */
public final class Distribution {
  private final jopt.probe.hdr.Histogram values;
  private final long max;

  /** {@code max}: the largest of the values, which {@code values} has to some digits. */
  Distribution(jopt.probe.hdr.Histogram values, long max) {
    this.values = values;
    // Where threads go on recording, either may know a value that the other does not.
    long count = values.getTotalCount(), last = count == 0 ? 0 : values.getMaxValue();
    this.max = count == 0 ? 0 : Math.max(values.lowestEquivalentValue(last), Math.min(last, max));
  }

  /**
   * How many values there are.
   *
   * @return their number
   */
  public long count() {
    return values.getTotalCount();
  }

  /**
   * Their mean.
   *
   * @return 0 if there are none
   */
  public double mean() {
    // Each value counts as one in the middle of those that are not told apart.
    return count() == 1 ? max : count() == 0 ? 0 : Math.min(values.getMean(), max);
  }

  /**
   * The largest: exact, but for one of {@link #since} that is not the largest of all.
   *
   * @return 0 if there is none
   */
  public long max() {
    return max;
  }

  /**
   * The value that so many do not pass.
   *
   * @param percent of all, such as 99.9
   * @return 0 if there are none
   */
  public long percentile(double percent) {
    return count() == 0 ? 0 : Math.min(values.getValueAtPercentile(percent), max);
  }

  /**
   * What came since another moment.
   *
   * @param before that of the same histogram
   * @return the values that are only in this
   */
  public Distribution since(Distribution before) {
    jopt.probe.hdr.Histogram left = values.copy();
    left.subtract(before.values);
    return new Distribution(left, max);
  }

  /** The same values, of which the largest is known otherwise. */
  Distribution withMax(long exact) {
    return new Distribution(values, exact);
  }
}
