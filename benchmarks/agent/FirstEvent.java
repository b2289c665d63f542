//===- benchmarks/agent/FirstEvent.java - from attach to the first event --===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

import com.sun.tools.attach.VirtualMachine;

/**
 * FirstEvent LIBRARY OPTIONS COUNT JAR...: loads so many classes, has the agent
 * attached to itself while another thread runs what is probed, and prints the
 * seconds from the request to load the agent to the first event, whose time the
 * probe puts into the property first.event.
 */
public final class FirstEvent {
  private FirstEvent() {}

  static volatile boolean done;

  static final class Probed {
    static int work(int n) { return n + 1; }
  }

  public static void main(String[] args) throws Exception {
    int loaded = LoadClasses.load(LoadClasses.names(args, 3),
                                  Integer.parseInt(args[2]));
    Thread worker = new Thread(() -> {
      int n = 0;
      while (!done) {
        n = Probed.work(n);
        Thread.onSpinWait();
      }
    });
    worker.start();
    Thread.sleep(200);
    VirtualMachine self =
        VirtualMachine.attach(Long.toString(ProcessHandle.current().pid()));
    long start = System.nanoTime();
    self.loadAgentPath(args[0], args[1]);
    while (System.getProperty("first.event") == null &&
           System.nanoTime() - start < 60_000_000_000L)
      Thread.sleep(1);
    done = true;
    worker.join();
    double seconds =
        (Long.parseLong(System.getProperty("first.event")) - start) / 1e9;
    System.out.println("{\"seconds\": " + seconds + ", \"classes\": " + loaded +
                       "}");
  }
}
