import com.sun.net.httpserver.HttpServer;
import java.io.*;
import java.net.*;
import java.net.http.*;
import java.util.*;
import java.util.concurrent.*;

/** Sends requests from 16 threads in every way, and prints each as the probes are to record it: method|URL|status. */
public class Asks {
  static final List<String> log = Collections.synchronizedList(new ArrayList<>());

  static void said(String method, URI uri, Object status) { log.add(method + "|" + uri + "|" + status); }

  static int code(int i) { return i % 3 == 0 ? 404 : 200; }

  static void ask(String base, String none, HttpClient client, int thread) throws Exception {
    for (int i = 0; i < 3; i++) {
      URI uri = URI.create(base + "/a/" + thread + "?answer=" + code(i));
      HttpURLConnection get = (HttpURLConnection) uri.toURL().openConnection();
      if (get.getResponseCode() == 200) get.getInputStream().readAllBytes();
      said("GET", uri, code(i));
      HttpURLConnection post = (HttpURLConnection) uri.toURL().openConnection();
      post.setDoOutput(true);
      try (OutputStream out = post.getOutputStream()) {
        out.write(new byte[10]);
      }
      try (InputStream in = post.getInputStream()) {
        in.readAllBytes();
      } catch (FileNotFoundException e) {
        // 404
      }
      said("POST", uri, code(i));
      HttpRequest request = HttpRequest.newBuilder(uri).method("PUT", HttpRequest.BodyPublishers.ofString("x")).build();
      client.send(request, HttpResponse.BodyHandlers.ofString());
      said("PUT", uri, code(i));
      HttpRequest later = HttpRequest.newBuilder(uri).build();
      client.sendAsync(later, HttpResponse.BodyHandlers.ofString()).get();
      said("GET", uri, code(i));
    }
    URI nobody = URI.create(none + "/b/" + thread);
    try {
      client.send(HttpRequest.newBuilder(nobody).build(), HttpResponse.BodyHandlers.ofString());
    } catch (ConnectException e) {
      said("GET", nobody, "failed");
    }
    try {
      nobody.toURL().openStream();
    } catch (ConnectException e) {
      said("GET", nobody, "failed");
    }
  }

  public static void main(String[] args) throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 100);
    ExecutorService pool = Executors.newFixedThreadPool(8);
    server.setExecutor(pool);
    server.createContext("/", e -> {
      e.getRequestBody().readAllBytes();
      byte[] text = "hello".getBytes();
      e.sendResponseHeaders(Integer.parseInt(e.getRequestURI().getQuery().substring(7)), text.length);
      e.getResponseBody().write(text);
      e.close();
    });
    server.start();
    String base = "http://127.0.0.1:" + server.getAddress().getPort();
    ServerSocket closed = new ServerSocket(0);
    String none = "http://127.0.0.1:" + closed.getLocalPort();
    closed.close();
    HttpClient client = HttpClient.newHttpClient();
    List<Thread> all = new ArrayList<>();
    for (int t = 0; t < 16; t++) {
      int thread = t;
      all.add(new Thread(() -> {
        try {
          ask(base, none, client, thread);
        } catch (Throwable e) {
          log.add("unexpected " + e);
        }
      }));
    }
    for (Thread t : all) t.start();
    for (Thread t : all) t.join();
    Quiet.await(); // who waits for a future goes on before others hear of it
    for (String line : log) System.out.println(line);
    System.exit(0);
  }
}
