import com.sun.net.httpserver.*;
import java.net.*;
import java.util.*;
import java.util.concurrent.*;

/** Answers requests of 16 threads, by the JDK's server, or one that a class of this name starts, and prints each as the probes are to record it. */
public class Served {
  static final List<String> log = Collections.synchronizedList(new ArrayList<>());

  static class Shop implements HttpHandler {
    @Override public void handle(HttpExchange e) throws java.io.IOException {
      int status = e.getRequestURI().getPath().endsWith("3") ? 404 : 200;
      log.add(e.getRequestMethod() + "|" + e.getRequestURI() + "|" + status + "|Served$Shop");
      e.sendResponseHeaders(status, -1);
      e.close();
    }
  }

  static int jdk() throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 100);
    ExecutorService pool = Executors.newFixedThreadPool(8, r -> {
      Thread t = new Thread(r);
      t.setDaemon(true);
      return t;
    });
    server.setExecutor(pool);
    server.createContext("/", new Shop());
    server.start();
    return server.getAddress().getPort();
  }

  public static void main(String[] args) throws Exception {
    int port = args[0].equals("jdk") ? jdk() : (int) Class.forName(args[0]).getMethod("start").invoke(null);
    int requests = Integer.parseInt(args[1]);
    List<Thread> all = new ArrayList<>();
    for (int t = 0; t < 16; t++) {
      int thread = t;
      all.add(new Thread(() -> {
        for (int i = 0; i < requests; i++) {
          try {
            URL url = new URL("http://127.0.0.1:" + port + "/shop/" + thread + "/" + i + "?secret=" + i);
            HttpURLConnection c = (HttpURLConnection) url.openConnection();
            c.setRequestMethod(i % 2 == 0 ? "GET" : "DELETE");
            c.getResponseCode();
          } catch (Exception e) {
            if (!args[0].equals("Netties") || i % 10 != 7) log.add("unexpected " + e);
          }
        }
      }));
    }
    for (Thread t : all) t.start();
    for (Thread t : all) t.join();
    Quiet.await(); // the last answers are on their way before their handlers return
    for (String line : log) System.out.println(line);
    System.exit(0);
  }
}
