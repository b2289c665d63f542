package known;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Orders are requests to a server of Spring Boot. */
@SpringBootApplication(proxyBeanMethods = false)
public class Spring implements Known.Shop {
  @Service
  static class Desk extends Till {}

  @RestController
  static class Pages {
    private final Till till;

    Pages(Till till) {
      this.till = till;
    }

    @GetMapping("/pay/{order}")
    int pay(@PathVariable("order") int order) {
      return till.pay(order);
    }
  }

  /** Spring makes one of this class, too. */
  private static final class Server {
    static final int PORT = ((ServletWebServerApplicationContext) SpringApplication.run(Spring.class, "--server.port=0",
        "--server.address=127.0.0.1", "--spring.main.banner-mode=off", "--logging.level.root=off"))
        .getWebServer().getPort();
    static final HttpClient CLIENT = HttpClient.newHttpClient();
  }

  @Override
  public int pay(int order) throws Exception {
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + Server.PORT + "/pay/" + order)).build();
    var answer = Server.CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) throw new IllegalStateException("status " + answer.statusCode());
    return Integer.parseInt(answer.body());
  }
}
