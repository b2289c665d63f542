// The program that the probes of this folder watch:
//   javac -d classes Service.java
//   java -agentpath:libjopt-agent.so=probes=entry.xml -cp classes Service
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.io.FileReader;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

public class Service {
  @Retention(RetentionPolicy.RUNTIME) @interface Endpoint {}

  private final Map<String, Integer> stock = new HashMap<>();

  Service() {
    stock.put("ink", 5);
    stock.put("pen", 0);
  }

  int find(String item) {
    Integer count = stock.get(item);
    if (count == null)
      throw new IllegalArgumentException("no " + item);
    return count;
  }

  void pause(int milliseconds) {
    try {
      Thread.sleep(milliseconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Endpoint String get(String item) {
    try {
      return item + ": " + find(item);
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
  }

  @Endpoint void rest() {
    pause(1);
    pause(30);
  }

  String motd(String file) {
    try (FileReader reader = new FileReader(file)) {
      return "message";
    } catch (IOException e) {
      return "no message";
    }
  }

  public static void main(String[] args) {
    Service service = new Service();
    System.out.println(service.get("ink"));
    System.out.println(service.get("cap"));
    service.rest();
    System.out.println(service.motd("missing.txt"));
  }
}
