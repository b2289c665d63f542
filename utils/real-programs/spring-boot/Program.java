package shop;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import real.Rounds;

/** A shop that sends requests to itself: beans, proxies, JSON, JDBC, virtual threads. */
@SpringBootApplication
public class Program {
  record Item(long id, String name, int price) {}

  record NewItem(String name, int price) {}

  @ResponseStatus(org.springframework.http.HttpStatus.NOT_FOUND)
  static class NoSuchItem extends RuntimeException {}

  @Repository
  static class Items {
    private final JdbcClient jdbc;

    Items(JdbcClient jdbc) {
      this.jdbc = jdbc;
      jdbc.sql("create table item(id identity primary key, name varchar, price int)").update();
      for (int i = 1; i <= 20; ++i) {
        insert(new NewItem("item" + i, i * 10));
      }
    }

    List<Item> below(int price) {
      return jdbc.sql("select id, name, price from item where price < ? and id <= 20 order by id")
          .param(price).query(Item.class).list();
    }

    Item find(long id) {
      return jdbc.sql("select id, name, price from item where id = ?")
          .param(id).query(Item.class).optional().orElseThrow(NoSuchItem::new);
    }

    void insert(NewItem item) {
      jdbc.sql("insert into item(name, price) values(?, ?)")
          .param(item.name()).param(item.price()).update();
    }

    int delete(String name) {
      return jdbc.sql("delete from item where name = ?").param(name).update();
    }
  }

  @Service
  static class Till {
    private final Items items;

    Till(Items items) {
      this.items = items;
    }

    @Transactional
    public int add(NewItem item) {
      items.insert(item);
      if (item.price() < 0) {
        throw new IllegalArgumentException("a price below zero");
      }
      return items.delete(item.name());
    }

    @Transactional(readOnly = true)
    public int sum(int price) {
      return items.below(price).stream().mapToInt(Item::price).sum();
    }
  }

  @RestController
  static class Pages {
    private final Items items;
    private final Till till;

    Pages(Items items, Till till) {
      this.items = items;
      this.till = till;
    }

    @GetMapping("/items")
    List<Item> items(@RequestParam(defaultValue = "100") int below) {
      return items.below(below);
    }

    @GetMapping("/items/{id}")
    Item item(@PathVariable long id) {
      return items.find(id);
    }

    @GetMapping("/sum")
    Map<String, Object> sum(@RequestParam int below) {
      return Map.of("sum", till.sum(below));
    }

    @GetMapping("/later")
    CompletableFuture<String> later() {
      return CompletableFuture.supplyAsync(() -> "virtual " + items.find(3).name());
    }

    @GetMapping("/thread")
    String thread() {
      return "virtual: " + Thread.currentThread().isVirtual();
    }

    @PostMapping("/items")
    int add(@RequestBody NewItem item) {
      return till.add(item);
    }
  }

  private static String send(HttpClient client, int port, String path, String body)
      throws Exception {
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    if (body != null) {
      request.header("Content-Type", "application/json")
          .POST(HttpRequest.BodyPublishers.ofString(body));
    }
    var answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    // An error tells the time.
    String text = answer.body().replaceAll("\"timestamp\":\"[^\"]*\"", "\"timestamp\"");
    return (body == null ? "GET " : "POST ") + path + " " + answer.statusCode() + " " + text + "\n";
  }

  private static String round(HttpClient client, int port) throws Exception {
    var text = new StringBuilder();
    for (String path : List.of("/items", "/items?below=35", "/items/7", "/items/999", "/sum?below=60",
        "/later", "/thread", "/nothing", "/sum")) {
      text.append(send(client, port, path, null));
    }
    text.append(send(client, port, "/items", "{\"name\":\"new\",\"price\":5}"));
    text.append(send(client, port, "/items", "{\"name\":\"bad\",\"price\":-5}"));
    text.append(send(client, port, "/items", "no JSON"));
    List<Future<String>> answers = new ArrayList<>();
    try (var pool = java.util.concurrent.Executors.newFixedThreadPool(4)) {
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

  @Bean
  ApplicationRunner runner(ServletWebServerApplicationContext context) {
    return arguments -> {
      int port = context.getWebServer().getPort();
      try (var client = HttpClient.newHttpClient()) {
        Rounds.run(() -> round(client, port));
      }
    };
  }

  public static void main(String[] args) {
    ConfigurableApplicationContext context = SpringApplication.run(Program.class, args);
    context.close();
  }
}
