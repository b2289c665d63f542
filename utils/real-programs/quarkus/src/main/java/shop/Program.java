package shop;

import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.eclipse.microprofile.config.ConfigProvider;
import real.Rounds;

/** A shop that sends requests to itself. */
@QuarkusMain
public class Program implements QuarkusApplication {
  @Inject Items.Till till;

  private static String send(HttpClient client, String address, String path, String body)
      throws Exception {
    var request = HttpRequest.newBuilder(URI.create(address + path));
    if (body != null) {
      request.header("Content-Type", "application/json")
          .POST(HttpRequest.BodyPublishers.ofString(body));
    }
    var answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    // An error has a number of its own.
    String text = answer.statusCode() < 500 ? answer.body() : "";
    return (body == null ? "GET " : "POST ") + path + " " + answer.statusCode() + " " + text + "\n";
  }

  private static String round(HttpClient client, String address) throws Exception {
    var text = new StringBuilder();
    for (String path : List.of("/items?below=100", "/items?below=35", "/items/7", "/items/999",
        "/items/later", "/nothing", "/items/x")) {
      text.append(send(client, address, path, null));
    }
    for (int price : new int[] {5, -5}) {
      text.append(send(client, address, "/items", "{\"id\":100,\"name\":\"new\",\"price\":" + price + "}"));
    }
    text.append(send(client, address, "/items", "no JSON"));
    for (int i = 1; i <= 20; ++i) {
      text.append(send(client, address, "/items/" + i, null));
    }
    return text.toString();
  }

  @Override
  public int run(String... arguments) throws Exception {
    till.fill();
    String port = ConfigProvider.getConfig().getValue("quarkus.http.port", String.class);
    HttpClient two = HttpClient.newHttpClient(); // upgrades to HTTP/2
    HttpClient one = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    String address = "http://127.0.0.1:" + port;
    Rounds.run(() -> round(one, address) + round(two, address));
    return 0;
  }
}
