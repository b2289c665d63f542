import jakarta.servlet.AsyncContext;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.List;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import real.Rounds;

/** Tomcat in a program: servlets, a filter, an asynchronous request, JSP, JDBC. */
public class Program {
  static class Prices extends HttpServlet {
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
  }

  static class Later extends HttpServlet {
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

  static class Tagging extends HttpFilter {
    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response,
        FilterChain chain) throws IOException, ServletException {
      response.setHeader("X-Tag", request.getMethod());
      chain.doFilter(request, response);
    }
  }

  private static String round(HttpClient client, int port) throws Exception {
    var text = new StringBuilder();
    for (String path : List.of("/prices?n=10", "/prices?n=1000", "/prices?n=x", "/later",
        "/page.jsp?n=3", "/page.jsp", "/none")) {
      var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
      var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      String body = answer.body();
      if (answer.statusCode() >= 400) {
        // An error page shows stack frames; only its title is stable.
        body = body.replaceAll("(?s).*<title>(.*)</title>.*", "$1");
      }
      text.append(path + " " + answer.statusCode() + " "
          + answer.headers().firstValue("X-Tag").orElse("") + " " + body + "\n");
    }
    return text.toString();
  }

  public static void main(String[] args) throws Exception {
    java.util.logging.LogManager.getLogManager().reset();
    Path base = Files.createDirectories(Path.of("base"));
    Path pages = Files.createDirectories(Path.of("pages"));
    Files.copy(Path.of(args[0]), pages.resolve("page.jsp"));
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(base.toAbsolutePath().toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Context context = tomcat.addWebapp("", pages.toAbsolutePath().toString());
    Tomcat.addServlet(context, "prices", new Prices());
    context.addServletMappingDecoded("/prices", "prices");
    var later = Tomcat.addServlet(context, "later", new Later());
    later.setAsyncSupported(true);
    context.addServletMappingDecoded("/later", "later");
    FilterDef filter = new FilterDef();
    filter.setFilterName("tag");
    filter.setFilter(new Tagging());
    filter.setAsyncSupported("true");
    context.addFilterDef(filter);
    FilterMap map = new FilterMap();
    map.setFilterName("tag");
    map.addURLPattern("/*");
    context.addFilterMap(map);
    tomcat.start();
    int port = tomcat.getConnector().getLocalPort();
    var client = HttpClient.newHttpClient();
    Rounds.run(() -> round(client, port));
    tomcat.stop();
    tomcat.destroy();
  }
}
