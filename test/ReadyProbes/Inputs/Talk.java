import java.io.*;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.util.*;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Echoes what 16 threads send, by streams, by channels, asynchronous ones too, by Netty or by datagrams, and prints each socket as the probes are to record it:
 * address|bytes read|bytes written|closed.
 */
public class Talk {
  static final List<String> log = Collections.synchronizedList(new ArrayList<>());
  static final int CLIENTS = 16, ROUNDS = 5;

  static void said(String address, long read, long written) { log.add(address + "|" + read + "|" + written + "|closed"); }

  static int size(int client, int round) { return 100 * client + round + 1; }

  static int total(int client) {
    int sum = 0;
    for (int i = 0; i < ROUNDS; i++)
      sum += size(client, i);
    return sum;
  }

  interface Body { void run(int client) throws Exception; }

  static List<Thread> start(String name, Body body) {
    List<Thread> all = new ArrayList<>();
    for (int c = 0; c < CLIENTS; c++) {
      int client = c;
      all.add(new Thread(() -> {
        try {
          body.run(client);
        } catch (Throwable e) {
          log.add("unexpected " + e);
        }
      }, name + c));
    }
    for (Thread t : all) t.start();
    return all;
  }

  /** A client of any of the servers. */
  static void ask(int port, int client) throws Exception {
    try (Socket s = new Socket("127.0.0.1", port)) {
      SocketAddress from = s.getLocalSocketAddress();
      OutputStream out = s.getOutputStream();
      DataInputStream in = new DataInputStream(s.getInputStream());
      for (int i = 0; i < ROUNDS; i++) {
        out.write(new byte[size(client, i)]);
        in.readFully(new byte[size(client, i)]);
      }
      said("to /127.0.0.1:" + port, total(client), total(client));
      said("from " + from, total(client), total(client));
    }
  }

  static void streams() throws Exception {
    ServerSocket server = new ServerSocket(0, 100, InetAddress.getByName("127.0.0.1"));
    List<Thread> echoes = start("echo", c -> {
      try (Socket s = server.accept()) {
        InputStream in = s.getInputStream();
        OutputStream out = s.getOutputStream();
        byte[] b = new byte[300];
        for (int n; (n = in.read(b)) >= 0;) out.write(b, 0, n);
      }
    });
    for (Thread t : start("client", c -> ask(server.getLocalPort(), c))) t.join();
    for (Thread t : echoes) t.join();
    said("at " + server.getLocalSocketAddress(), 0, 0);
    int port = server.getLocalPort();
    server.close();
    for (Thread t : start("refused", c -> {
      try {
        new Socket("127.0.0.1", port).close();
      } catch (ConnectException e) {
        log.add("to /127.0.0.1:" + port + "|failed");
      }
    })) t.join();
  }

  static void channels() throws Exception {
    ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0), 100);
    int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
    List<Thread> echoes = start("echo", c -> {
      try (SocketChannel s = server.accept()) {
        ByteBuffer b = ByteBuffer.allocate(300);
        while (s.read(b) >= 0) {
          b.flip();
          while (b.hasRemaining()) s.write(b);
          b.clear();
        }
      }
    });
    for (Thread t : start("client", c -> {
      if (c % 2 == 0) {
        ask(port, c);
        return;
      }
      try (SocketChannel s = SocketChannel.open()) {
        s.configureBlocking(false);
        if (!s.connect(new InetSocketAddress("127.0.0.1", port)))
          while (!s.finishConnect()) Thread.sleep(1);
        SocketAddress from = s.getLocalAddress();
        for (int i = 0; i < ROUNDS; i++) {
          ByteBuffer out = ByteBuffer.allocate(size(c, i)), in = ByteBuffer.allocate(size(c, i));
          while (out.hasRemaining()) s.write(out);
          while (in.hasRemaining())
            if (s.read(in) == 0) Thread.sleep(1);
        }
        said("to /127.0.0.1:" + port, total(c), total(c));
        said("from " + from, total(c), total(c));
      }
    })) t.join();
    for (Thread t : echoes) t.join();
    said("at " + server.getLocalAddress(), 0, 0);
    server.close();
    for (Thread t : start("refused", c -> {
      SocketChannel s = SocketChannel.open();
      s.configureBlocking(c % 2 == 0);
      try {
        if (!s.connect(new InetSocketAddress("127.0.0.1", port)))
          while (!s.finishConnect()) Thread.sleep(1);
      } catch (ConnectException e) {
        log.add("to /127.0.0.1:" + port + "|failed");
      } finally {
        s.close();
      }
    })) t.join();
  }

  /** Sends back what it reads, until there is no more. */
  static class EchoLater implements CompletionHandler<Integer, ByteBuffer> {
    final AsynchronousSocketChannel to;
    EchoLater(AsynchronousSocketChannel to) { this.to = to; }
    @Override public void completed(Integer n, ByteBuffer b) {
      try {
        if (n < 0) {
          to.close();
          return;
        }
        b.flip();
        while (b.hasRemaining()) to.write(b).get();
        b.clear();
        to.read(b, b, this);
      } catch (Exception e) {
        log.add("unexpected " + e);
      }
    }
    @Override public void failed(Throwable e, ByteBuffer b) { log.add("unexpected " + e); }
  }

  static void later() throws Exception {
    AsynchronousServerSocketChannel server =
        AsynchronousServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0), 100);
    int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
    AtomicInteger open = new AtomicInteger();
    Thread accepts = new Thread(() -> {
      try {
        for (int c = 0; c < CLIENTS; c++) {
          AsynchronousSocketChannel s = server.accept().get();
          ByteBuffer b = ByteBuffer.allocate(300);
          s.read(b, b, new EchoLater(s) {
            @Override public void completed(Integer n, ByteBuffer given) {
              super.completed(n, given);
              if (n < 0) open.incrementAndGet();
            }
          });
        }
      } catch (Exception e) {
        log.add("unexpected " + e);
      }
    });
    accepts.start();
    for (Thread t : start("client", c -> {
      if (c % 2 == 0) {
        ask(port, c);
        return;
      }
      try (AsynchronousSocketChannel s = AsynchronousSocketChannel.open()) {
        s.connect(new InetSocketAddress("127.0.0.1", port)).get();
        SocketAddress from = s.getLocalAddress();
        for (int i = 0; i < ROUNDS; i++) {
          ByteBuffer out = ByteBuffer.allocate(size(c, i)), in = ByteBuffer.allocate(size(c, i));
          while (out.hasRemaining()) s.write(out).get();
          while (in.hasRemaining()) s.read(in).get();
        }
        said("to /127.0.0.1:" + port, total(c), total(c));
        said("from " + from, total(c), total(c));
      }
    })) t.join();
    accepts.join();
    while (open.get() < CLIENTS) Thread.sleep(1);
    said("at " + server.getLocalAddress(), 0, 0);
    server.close();
    for (Thread t : start("refused", c -> {
      AsynchronousSocketChannel s = AsynchronousSocketChannel.open();
      try {
        CompletableFuture<Void> told = new CompletableFuture<>();
        CompletionHandler<Void, Object> handler = new CompletionHandler<Void, Object>() {
          @Override public void completed(Void nothing, Object given) { told.complete(null); }
          @Override public void failed(Throwable e, Object given) { told.completeExceptionally(e); }
        };
        SocketAddress nobody = new InetSocketAddress("127.0.0.1", port);
        if (c % 2 == 0) s.connect(nobody).get();
        else s.connect(nobody, null, handler);
        if (c % 2 != 0) told.get();
      } catch (ExecutionException e) {
        log.add("to /127.0.0.1:" + port + "|failed");
      } finally {
        s.close();
      }
    })) t.join();
  }

  static void datagrams() throws Exception {
    DatagramSocket server = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"));
    int port = server.getLocalPort();
    for (Thread t : start("client", c -> {
      try (DatagramSocket s = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"))) {
        String at = "datagrams at " + s.getLocalSocketAddress();
        for (int i = 0; i < ROUNDS; i++)
          s.send(new DatagramPacket(new byte[size(c, i)], size(c, i), server.getLocalSocketAddress()));
        said(at, 0, total(c));
      }
    })) t.join();
    long sum = 0;
    for (int i = 0; i < CLIENTS * ROUNDS; i++) {
      DatagramPacket p = new DatagramPacket(new byte[5000], 5000);
      server.receive(p);
      sum += p.getLength();
    }
    said("datagrams at " + server.getLocalSocketAddress(), sum, 0);
    server.close();
  }

  public static void main(String[] args) throws Exception {
    switch (args[0].replaceAll("[0-9]", "")) { // the second time it has a number
      case "streams": streams(); break;
      case "channels": channels(); break;
      case "later": later(); break;
      case "datagrams": datagrams(); break;
      default:
        Object server = Class.forName("Echo").getMethod("start").invoke(null);
        int port = (int) server.getClass().getMethod("port").invoke(server);
        for (Thread t : start("client", c -> ask(port, c))) t.join();
        said("at /127.0.0.1:" + port, 0, 0);
        server.getClass().getMethod("stop").invoke(server);
    }
    for (String line : log) System.out.println(line);
  }
}
