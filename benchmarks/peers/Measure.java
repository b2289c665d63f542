//===- benchmarks/peers/Measure.java - warm-up, passes, median ------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Times a rewriter over classes in memory. */
final class Measure {
  private Measure() {}

  /**
   * What a peer is called with, WORK [-warmup=N] [-passes=N] PATH..., is done by the
   * rewriter that is made for these classes. Those above the major version `newest`
   * are left out.
   */
  static void main(String peer, String[] args, int newest,
                   Function<Classes, UnaryOperator<byte[]>> rewriter)
      throws IOException {
    int warmUp = 3, passes = 5;
    Classes input = new Classes(newest);
    for (String arg : Arrays.asList(args).subList(1, args.length)) {
      if (arg.startsWith("-warmup="))
        warmUp = Integer.parseInt(arg.substring(8));
      else if (arg.startsWith("-passes="))
        passes = Integer.parseInt(arg.substring(8));
      else
        input.add(Path.of(arg));
    }
    run(peer + " " + args[0], input, rewriter.apply(input), warmUp, passes);
  }

  /**
   * Runs warm-up passes and then timed ones, and prints the median in MB (10^6
   * bytes) of input per second. A class that the rewriter throws on is counted
   * and passes unchanged.
   */
  static void run(String label, Classes input, UnaryOperator<byte[]> rewriter,
                  int warmUp, int passes) {
    double[] rates = new double[passes];
    long failed = 0, outBytes = 0;
    for (int pass = -warmUp; pass < passes; ++pass) {
      long start = System.nanoTime();
      failed = 0;
      outBytes = 0;
      for (byte[] file : input.files) {
        byte[] out = file;
        try {
          out = rewriter.apply(file);
        } catch (RuntimeException e) {
          ++failed;
        }
        outBytes += out.length;
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      if (pass >= 0)
        rates[pass] = input.bytes / 1e6 / seconds;
    }
    Arrays.sort(rates);
    System.out.printf(Locale.ROOT,
                      "{\"work\": \"%s\", \"classes\": %d, \"bytes\": %d, "
                          + "\"out_bytes\": %d, \"failed\": %d, "
                          + "\"mb_per_s\": %.2f}%n",
                      label, input.files.size(), input.bytes, outBytes, failed,
                      rates[passes / 2]);
  }
}
