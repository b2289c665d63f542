//===- benchmarks/agent/Asking.java - threads that ask a server ------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** How often the server at the port has answered. A request that fails ends the JVM. */
final class Asking {
  private Asking() {}

  static LongSupplier threads(int port) {
    System.setProperty("http.maxConnections", "64");
    LongAdder answers = new LongAdder();
    for (int i = 0; i < 32; i++)
      InFlight.start(() -> {
        try {
          while (true) {
            HttpURLConnection c = (HttpURLConnection)
                URI.create("http://127.0.0.1:" + port + "/").toURL().openConnection();
            try (InputStream in = c.getInputStream()) {
              if (!new String(in.readAllBytes()).equals("served"))
                throw new IllegalStateException("another answer");
            }
            answers.increment();
          }
        } catch (Exception e) {
          e.printStackTrace();
          System.exit(1);
        }
      });
    return answers::sum;
  }
}
