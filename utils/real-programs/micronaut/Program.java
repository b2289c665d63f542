package shop;

import io.micronaut.context.ApplicationContext;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.annotation.Status;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import reactor.core.publisher.Mono;
import real.Rounds;

/** Micronaut over Netty: beans made at compile time, JSON, a filter, JDBC on virtual threads. */
public class Program {
  @Controller
  static class Shop {
    @Get("/prices")
    @Produces(MediaType.TEXT_PLAIN)
    @ExecuteOn(TaskExecutors.BLOCKING)
    String prices(@QueryValue int n) throws SQLException {
      try (var connection = DriverManager.getConnection("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1");
          var statement = connection.prepareStatement("select sum(x) from system_range(1, ?)")) {
        statement.setInt(1, n);
        try (var rows = statement.executeQuery()) {
          rows.next();
          return "sum " + rows.getLong(1) + " " + Thread.currentThread().isVirtual();
        }
      }
    }

    @Get("/items/{id}")
    Map<String, Object> item(int id) {
      return new TreeMap<>(Map.of("id", id, "price", id * 10));
    }

    @Post("/items")
    @Status(HttpStatus.CREATED)
    @Produces(MediaType.TEXT_PLAIN)
    String add(@Body Map<String, Object> item) {
      return item.get("name") + " for " + item.get("price");
    }

    @Get("/later")
    @Produces(MediaType.TEXT_PLAIN)
    CompletableFuture<String> later() {
      return CompletableFuture.supplyAsync(() -> "later");
    }

    @Get("/reactive")
    @Produces(MediaType.TEXT_PLAIN)
    Mono<String> reactive() {
      return Mono.fromCallable(() -> "reactive").map(s -> s + "!");
    }

    @Get("/broken")
    String broken() {
      throw new IllegalStateException("broken");
    }
  }

  @ServerFilter("/**")
  static class Tags {
    @ResponseFilter
    void tag(HttpRequest<?> request, MutableHttpResponse<?> response) {
      response.header("X-Tag", request.getMethodName());
    }
  }

  private static String send(HttpClient client, URI server, String path, String body) throws Exception {
    var request = java.net.http.HttpRequest.newBuilder(server.resolve(path));
    if (body != null) {
      request.header("Content-Type", "application/json")
          .POST(java.net.http.HttpRequest.BodyPublishers.ofString(body));
    }
    var answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    // The parts of an error come in any order.
    Object text = answer.statusCode() < 400 ? answer.body() : answer.body().length();
    return path + " " + answer.statusCode() + " " + answer.headers().firstValue("X-Tag").orElse("")
        + " " + text + "\n";
  }

  private static String round(HttpClient client, URI server) throws Exception {
    var text = new StringBuilder();
    for (String path : List.of("/prices?n=10", "/prices?n=1000", "/prices?n=x", "/items/7",
        "/later", "/reactive", "/broken", "/none")) {
      text.append(send(client, server, path, null));
    }
    text.append(send(client, server, "/items", "{\"name\":\"pen\",\"price\":5}"));
    text.append(send(client, server, "/items", "no JSON"));
    List<Future<String>> answers = new ArrayList<>();
    try (var pool = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 40; ++i) {
        String path = i % 2 == 0 ? "/later" : "/items/" + (i % 20);
        answers.add(pool.submit(() -> send(client, server, path, null)));
      }
    }
    for (var answer : answers) {
      text.append(answer.get());
    }
    return text.toString();
  }

  public static void main(String[] args) throws Exception {
    Map<String, Object> settings = Map.of("micronaut.server.port", -1, "micronaut.server.host", "127.0.0.1");
    try (var server = ApplicationContext.run(EmbeddedServer.class, settings);
        var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      URI address = server.getURI();
      Rounds.run(() -> round(client, address));
    }
  }
}
