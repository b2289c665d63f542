// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

/** The values of a {@link Histogram} at a moment. Does not change. */
public final class Distribution {
  private final jopt.probe.hdr.Histogram values;

  Distribution(jopt.probe.hdr.Histogram values) {
    this.values = values;
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
    return count() == 0 ? 0 : values.getMean();
  }

  /**
   * The largest.
   *
   * @return 0 if there is none
   */
  public long max() {
    return count() == 0 ? 0 : values.getMaxValue();
  }

  /**
   * The value that so many do not pass.
   *
   * @param percent of all, such as 99.9
   * @return 0 if there are none
   */
  public long percentile(double percent) {
    return count() == 0 ? 0 : Math.min(values.getValueAtPercentile(percent), max());
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
    return new Distribution(left);
  }
}
