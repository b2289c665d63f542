//===- Client.java - Attach and detach while a server answers ------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

import com.sun.tools.attach.VirtualMachine;
import java.io.*;
import java.net.*;
import java.util.*;
import java.util.concurrent.atomic.*;

/**
 * The client of try-servers: at least so many requests by so many threads; a tenth of
 * them before the probes come, six tenths while they are there, the others behind them.
 *
 *   Client PID ADDRESS THREADS REQUESTS LIBRARY PROBES LOOK.JAR FOLDER
 */
class Client {
  /** A connection of one thread; each answer to the same number is the same. */
  interface Caller { String ask(int number) throws Exception; }

  static String address;
  static final AtomicInteger next = new AtomicInteger(), answers = new AtomicInteger(), failures = new AtomicInteger();
  static volatile boolean stop;
  /** Requests to be made at least. */
  static volatile int last;

  static String http(int number) throws IOException {
    HttpURLConnection c = (HttpURLConnection) URI.create(address + "?number=" + number).toURL().openConnection();
    c.setConnectTimeout(60_000);
    c.setReadTimeout(60_000);
    try (InputStream in = c.getInputStream()) {
      return c.getResponseCode() + " " + new String(in.readAllBytes(), "UTF-8").trim();
    }
  }
  static Caller open() throws Exception {
    if (address.startsWith("http:"))
      return Client::http;
    return (Caller) Class.forName("Messages").getConstructor(String.class).newInstance(address);
  }

  static void work() {
    try {
      Caller caller = open();
      for (int n; (n = next.getAndIncrement()) < last || !stop;) {
        String answer = caller.ask(n % 50);
        if (answer.equals("200 order " + n % 50 + " of customer" + n % 50 % 7))
          answers.incrementAndGet();
        else
          fail("answered '" + answer + "'");
      }
      if (caller instanceof Closeable)
        ((Closeable) caller).close();
    } catch (Throwable e) {
      fail(e.toString());
    }
  }
  static void fail(String why) {
    if (failures.incrementAndGet() <= 5)
      System.out.println("FAILED: " + why);
  }
  static void reach(int count) throws Exception {
    while (answers.get() + failures.get() < count && failures.get() < 100)
      Thread.sleep(5);
  }

  public static void main(String[] args) throws Exception {
    address = args[1];
    int threads = Integer.parseInt(args[2]), requests = Integer.parseInt(args[3]);
    String library = args[4], folder = args[7];
    VirtualMachine vm = VirtualMachine.attach(args[0]);
    last = 200;
    stop = true;
    work();
    stop = false;
    next.set(0);
    answers.set(0);
    // The agent comes first, so that the other one sees what it makes.
    vm.loadAgentPath(library, "off");
    vm.loadAgent(args[6], folder + "/before");
    List<Thread> all = new ArrayList<>();
    last = requests;
    for (int i = 0; i < threads; i++)
      all.add(new Thread(Client::work));
    for (Thread t : all)
      t.start();
    try {
      reach(requests / 10);
      vm.loadAgentPath(library, "probes=" + args[5] + ",log=" + folder + "/log"); // throws unless it answers 0
      int on = answers.get();
      reach(on + requests * 5 / 10);
      vm.loadAgent(args[6], folder + "/probed");
      reach(on + requests * 6 / 10);
      int off = answers.get();
      vm.loadAgentPath(library, "off");
      System.out.println("probes were on for " + (off - on) + " answers");
    } catch (Exception e) {
      fail("attach: " + e);
      last = 0;
    }
    stop = true;
    for (Thread t : all)
      t.join();
    System.out.println(answers + " answers, " + failures + " failures");
    vm.loadAgent(args[6], folder + "/after");
    vm.detach();
    System.exit(failures.get() == 0 ? 0 : 1);
  }
}
