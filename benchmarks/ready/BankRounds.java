// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/**
 * `BankRounds ROUNDS TRANSACTIONS PATH...`: a Bank in a loader of its own for each class path, all
 * in one JVM. In a round each makes so many transactions, beginning with another one each time; a
 * line for each round says the seconds of the processor that each took. The first rounds, in which
 * the compilers are at work, are not shown.
 */
public class BankRounds {
  static final int UNSHOWN = 10;

  static IntToDoubleFunction bank(String path, int number) throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String part : path.split(File.pathSeparator)) urls.add(new File(part).toURI().toURL());
    ClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    Thread.currentThread().setContextClassLoader(loader);
    Class.forName("org.h2.Driver", true, loader);
    return (IntToDoubleFunction) loader.loadClass("Bank").getConstructor(String.class).newInstance("jdbc:h2:mem:bank" + number);
  }

  public static void main(String[] args) throws Exception {
    int rounds = Integer.parseInt(args[0]), transactions = Integer.parseInt(args[1]), n = args.length - 2;
    IntToDoubleFunction[] banks = new IntToDoubleFunction[n];
    for (int i = 0; i < n; i++) banks[i] = bank(args[i + 2], i);
    for (int round = -UNSHOWN; round < rounds; round++) {
      double[] seconds = new double[n];
      for (int i = 0; i < n; i++) {
        int turn = Math.floorMod(i + round, n);
        seconds[turn] = banks[turn].applyAsDouble(transactions);
      }
      if (round < 0) continue;
      StringBuilder line = new StringBuilder();
      for (double s : seconds) line.append(s).append(' ');
      System.out.println(line.toString().trim());
    }
  }
}
