import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.DriverManager;
import java.util.List;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import real.Rounds;

/** Jetty in a program, with virtual threads: servlets, an asynchronous request, JDBC. */
public class Program {
  public static class Prices extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException {
      response.setContentType("text/plain");
      try (var connection = DriverManager.getConnection("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1");
          var statement = connection.prepareStatement("select sum(x) from system_range(1, ?)")) {
        statement.setInt(1, Integer.parseInt(request.getParameter("n")));
        try (var rows = statement.executeQuery()) {
          rows.next();
          response.getWriter().println("sum " + rows.getLong(1));
        }
      } catch (java.sql.SQLException e) {
        throw new ServletException(e);
      }
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getWriter().println(request.getReader().lines().mapToInt(String::length).sum());
    }
  }

  public static class Later extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      AsyncContext context = request.startAsync();
      context.start(() -> {
        try {
          response.setStatus(202);
          response.getWriter().println("later");
        } catch (IOException e) {
          throw new java.io.UncheckedIOException(e);
        }
        context.complete();
      });
    }
  }

  private static String round(HttpClient client, int port) throws Exception {
    var text = new StringBuilder();
    for (String path : List.of("/prices?n=10", "/prices?n=1000", "/prices?n=x", "/prices", "/later",
        "/none")) {
      var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
      if (path.equals("/prices")) {
        request.POST(HttpRequest.BodyPublishers.ofString("line\n".repeat(20000)));
      }
      var answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      String body = answer.body();
      if (answer.statusCode() >= 400) {
        // An error page shows stack frames; only its title is stable.
        body = body.replaceAll("(?s).*<title>(.*)</title>.*", "$1");
      }
      text.append(path + " " + answer.statusCode() + " " + body + "\n");
    }
    return text.toString();
  }

  public static void main(String[] args) throws Exception {
    QueuedThreadPool pool = new QueuedThreadPool();
    pool.setVirtualThreadsExecutor(VirtualThreads.getDefaultVirtualThreadsExecutor());
    Server server = new Server(pool);
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler("/");
    context.addServlet(Prices.class, "/prices");
    ServletHolder later = new ServletHolder(new Later());
    later.setAsyncSupported(true);
    context.addServlet(later, "/later");
    server.setHandler(context);
    server.start();
    int port = connector.getLocalPort();
    var client = HttpClient.newHttpClient();
    Rounds.run(() -> round(client, port));
    server.stop();
  }
}
