// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import jopt.boot.record.OurThread;

/**
 * Tells Prometheus what is now, on a port of this machine. Its thread looks each 50 ms whether somebody
 * asks, and waits in Java meanwhile: a thread that waits in native code holds up the exit of a JVM.
 */
final class PortWriter extends Writer implements Runnable {
  private static final long PAUSE = 50, PATIENCE = 2000;

  private final ServerSocketChannel server;
  private final Format format = Format.of("prometheus");
  private volatile boolean isClosed;

  PortWriter(String where, String port) throws IOException {
    super(where);
    server = ServerSocketChannel.open();
    try {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), number(port)));
      server.configureBlocking(false);
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
    int bound = ((InetSocketAddress) server.getLocalAddress()).getPort();
    // Who is to ask has to know.
    if (number(port) == 0) System.err.println("jopt: prometheus: listening on port " + bound);
    OurThread.make(this, "jopt prometheus").start();
  }

  private static int number(String port) throws IOException {
    try {
      int n = Integer.parseInt(port);
      if (n >= 0 && n < 1 << 16) return n;
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IOException("'" + port + "' is no port");
  }

  @Override
  void write(Samples s) {}

  @Override
  void close() {
    isClosed = true;
    try {
      server.close();
    } catch (IOException e) {
      // Nobody asks any more.
    }
  }

  @Override
  public void run() {
    while (!isClosed) {
      try (SocketChannel asks = server.accept()) {
        if (asks != null) answer(asks);
        else pause();
      } catch (IOException e) {
        pause(); // Who asked is gone, or the port is closed.
      }
    }
  }

  private synchronized void pause() {
    try {
      wait(PAUSE);
    } catch (InterruptedException e) {
      // Somebody interrupts all threads there are.
    }
  }

  private void answer(SocketChannel to) throws IOException {
    to.configureBlocking(false);
    long until = System.nanoTime() + PATIENCE * 1_000_000;
    ByteBuffer in = ByteBuffer.allocate(8192);
    while (!isWhole(in)) {
      int n = to.read(in);
      if (n < 0 || !in.hasRemaining() || System.nanoTime() - until > 0) return;
      if (n == 0) pause();
    }
    List<String> lines = format.lines(Samples.take(), true);
    String body = lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
            + "Connection: close\r\nContent-Length: " + bytes.length + "\r\n\r\n";
    send(to, ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII)), until);
    send(to, ByteBuffer.wrap(bytes), until);
  }

  private void send(SocketChannel to, ByteBuffer bytes, long until) throws IOException {
    while (bytes.hasRemaining() && System.nanoTime() - until < 0) {
      if (to.write(bytes) == 0) pause();
    }
  }

  /** A request ends with an empty line; what it asks for does not matter. */
  private static boolean isWhole(ByteBuffer in) {
    int n = in.position();
    return n >= 4 && in.get(n - 1) == '\n' && in.get(n - 2) == '\r' && in.get(n - 3) == '\n';
  }
}
