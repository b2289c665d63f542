import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import real.Rounds;

/** Helidon's server on virtual threads: routes, a filter, an error handler, JSON, JDBC. */
public class Program {
  private static void prices(ServerRequest request, ServerResponse response) throws SQLException {
    int n = Integer.parseInt(request.query().get("n"));
    try (var connection = DriverManager.getConnection("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1");
        var statement = connection.prepareStatement("select sum(x) from system_range(1, ?)")) {
      statement.setInt(1, n);
      try (var rows = statement.executeQuery()) {
        rows.next();
        response.send("sum " + rows.getLong(1));
      }
    }
  }

  private static void item(ServerRequest request, ServerResponse response) {
    int id = Integer.parseInt(request.path().pathParameters().get("id"));
    response.send(Json.createObjectBuilder().add("id", id).add("price", id * 10)
        .add("virtual", Thread.currentThread().isVirtual()).build());
  }

  private static void add(ServerRequest request, ServerResponse response) {
    JsonObject item = request.content().as(JsonObject.class);
    response.status(Status.CREATED_201).send(item.getString("name") + " for " + item.getInt("price"));
  }

  private static void routes(HttpRouting.Builder routing) {
    routing.addFilter((chain, request, response) -> {
          response.header(HeaderNames.create("X-Tag"), request.prologue().method().text());
          chain.proceed();
        })
        .get("/prices", Program::prices)
        .get("/items/{id}", Program::item)
        .post("/items", Program::add)
        .error(NumberFormatException.class, (request, response, e) ->
            response.status(Status.BAD_REQUEST_400).send(e.getMessage()));
  }

  private static String send(HttpClient client, int port, String path, String body) throws Exception {
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    if (body != null) {
      request.header("Content-Type", "application/json")
          .POST(HttpRequest.BodyPublishers.ofString(body));
    }
    var answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    return path + " " + answer.statusCode() + " " + answer.headers().firstValue("X-Tag").orElse("")
        + " " + answer.body() + "\n";
  }

  private static String round(HttpClient client, int port) throws Exception {
    var text = new StringBuilder();
    for (String path : List.of("/prices?n=10", "/prices?n=1000", "/prices?n=x", "/items/7", "/none")) {
      text.append(send(client, port, path, null));
    }
    text.append(send(client, port, "/items", "{\"name\":\"pen\",\"price\":5}"));
    text.append(send(client, port, "/items", "no JSON"));
    List<Future<String>> answers = new ArrayList<>();
    try (var pool = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 40; ++i) {
        String path = "/items/" + (i % 20 + 1);
        answers.add(pool.submit(() -> send(client, port, path, null)));
      }
    }
    for (var answer : answers) {
      text.append(answer.get());
    }
    return text.toString();
  }

  public static void main(String[] args) throws Exception {
    java.util.logging.LogManager.getLogManager().reset();
    WebServer server = WebServer.builder().address(InetAddress.getLoopbackAddress()).port(0)
        .shutdownHook(false).routing(Program::routes).build().start();
    try (var client = HttpClient.newHttpClient()) {
      Rounds.run(() -> round(client, server.port()));
    }
    server.stop();
  }
}
