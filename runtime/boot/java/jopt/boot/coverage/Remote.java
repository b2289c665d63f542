// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.coverage;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import jopt.boot.record.OurThread;

/**
 * JaCoCo's protocol, for its tools: the other end of a connection asks for the coverage so far and for
 * a reset. There is no authentication, so it uses the machine's own address unless another is asked
 * for.
 */
final class Remote implements Runnable {
  private static final int OK = 0x20, DUMP = 0x40;
  private static final int PORT = 6300;

  /** That to a server, which also gets what there is at the end of the program. */
  private static volatile Remote client;

  private final Socket socket;
  private DataOutputStream out;

  private Remote(Socket socket) {
    this.socket = socket;
  }

  private void start(String name) {
    OurThread.make(this, "jopt coverage " + name).start();
  }

  /** Somebody may ask. */
  static boolean isOn() {
    return !property("output", "none").equals("none");
  }

  /** Does what the properties ask for. */
  static void begin() {
    String output = property("output", "none");
    if (output.equals("tcpserver") || output.equals("tcpclient"))
      new Remote(null).start(output);
    else if (!output.equals("none")) tell("output=" + output + ": there is none, tcpserver and tcpclient");
  }

  private static String property(String name, String otherwise) {
    String value = System.getProperty("jopt.coverage." + name);
    return value == null || value.isEmpty() ? otherwise : value;
  }

  private static void tell(String what) {
    System.err.println("jopt: coverage: " + what);
  }

  @Override
  public void run() {
    try {
      if (socket != null) serve();
      else if (property("output", "").equals("tcpserver")) listen();
      else connect();
    } catch (Throwable e) {
      // Who is connected leaves as he likes.
      if (socket == null) tell(e.toString());
    }
  }

  private static InetAddress address() throws IOException {
    String name = property("address", "");
    if (name.equals("*")) return null;
    return name.isEmpty() ? InetAddress.getLoopbackAddress() : InetAddress.getByName(name);
  }

  private static int port() throws IOException {
    String text = property("port", String.valueOf(PORT));
    try {
      int port = Integer.parseInt(text);
      if (port >= 0 && port < 1 << 16) return port;
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IOException("jopt.coverage.port: '" + text + "' is no port");
  }

  private static void listen() throws IOException {
    try (ServerSocket server = new ServerSocket(port(), 50, address())) {
      // Any free port: clients have to know which.
      if (port() == 0) tell("listening on port " + server.getLocalPort());
      while (true) new Remote(server.accept()).start("connection");
    }
  }

  private static void connect() throws IOException {
    Remote made = new Remote(new Socket(address(), port()));
    client = made;
    made.start("connection");
  }

  /** Answers until the other side has enough. */
  private void serve() throws IOException {
    try (Socket connected = socket) {
      DataInputStream in = new DataInputStream(new BufferedInputStream(connected.getInputStream()));
      synchronized (this) {
        out = new DataOutputStream(connected.getOutputStream());
        Exec.header(out);
      }
      if (in.read() != Exec.HEADER || in.readUnsignedShort() != Exec.MAGIC || in.readUnsignedShort() != Exec.VERSION)
        return;
      while (in.read() == DUMP) {
        boolean isWanted = in.readBoolean(), isReset = in.readBoolean();
        answer(isWanted, isReset);
      }
    }
  }

  private synchronized void answer(boolean isWanted, boolean isReset) throws IOException {
    byte[] data = Writer.collect(isReset);
    if (data == null) throw new IOException("busy");
    if (isWanted) out.write(data);
    out.writeByte(OK);
    out.flush();
  }

  /** The program ends. */
  static void end() {
    Remote last = client;
    if (last == null) return;
    try {
      synchronized (last) {
        if (last.out == null) return; // It has not been greeted yet.
      }
      last.answer(true, false);
      last.socket.close();
    } catch (IOException e) {
      // The other side is gone.
    }
  }
}
