package known;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.IntegerSerializer;
import org.apache.kafka.common.utils.Time;

/** Orders are records of a topic; whoever reads them asks the till, each once and in their order. */
public class Kafka implements Known.Shop {
  private static final String TOPIC = "orders";
  private final Map<Integer, CompletableFuture<Integer>> asked = new ConcurrentHashMap<>();
  private final KafkaProducer<Integer, Integer> producer;

  public Kafka() throws Exception {
    String address = "127.0.0.1:" + startBroker();
    try (var admin = Admin.create(Map.of("bootstrap.servers", address))) {
      admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get();
    }
    producer = new KafkaProducer<>(Map.of("bootstrap.servers", address, "acks", "all"), new IntegerSerializer(),
        new IntegerSerializer());
    Thread reader = new Thread(() -> read(address), "reader");
    reader.setDaemon(true);
    reader.start();
  }

  private void read(String address) {
    Till till = new Till();
    long next = 0;
    try (var consumer = new KafkaConsumer<>(Map.of("bootstrap.servers", address, "group.id", TOPIC,
        "auto.offset.reset", "earliest"), new IntegerDeserializer(), new IntegerDeserializer())) {
      consumer.assign(List.of(new TopicPartition(TOPIC, 0)));
      while (true) {
        for (var record : consumer.poll(Duration.ofMillis(200))) {
          if (record.offset() != next++) System.err.println("record " + record.offset() + " in place of " + (next - 1));
          int answer = till.pay(record.value());
          var waits = asked.remove(record.value());
          if (waits == null) System.err.println("order " + record.value() + " came twice");
          else waits.complete(answer);
        }
      }
    }
  }

  @Override
  public int pay(int order) throws Exception {
    var answer = new CompletableFuture<Integer>();
    asked.put(order, answer);
    producer.send(new ProducerRecord<>(TOPIC, order, order)).get(60, TimeUnit.SECONDS);
    return answer.get(60, TimeUnit.SECONDS);
  }

  private static int freePort() throws Exception {
    try (var socket = new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static int startBroker() throws Exception {
    int port = freePort();
    int controller = freePort();
    Properties p = new Properties();
    p.put("process.roles", "broker,controller");
    p.put("node.id", "1");
    p.put("listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controller);
    p.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port);
    p.put("controller.listener.names", "CONTROLLER");
    p.put("controller.quorum.voters", "1@127.0.0.1:" + controller);
    p.put("log.dirs", Path.of("log").toAbsolutePath().toString());
    p.put("offsets.topic.replication.factor", "1");
    p.put("offsets.topic.num.partitions", "1");
    Path file = Path.of("server.properties");
    try (var out = Files.newBufferedWriter(file)) {
      p.store(out, null);
    }
    int status = StorageTool.execute(new String[] {"format", "-t", "MkU3OEVBNTcwNTJENDM2Qg", "-c", file.toString()},
        new java.io.PrintStream(java.io.OutputStream.nullOutputStream()));
    if (status != 0) throw new IllegalStateException("format: " + status);
    new KafkaRaftServer(new KafkaConfig(p), Time.SYSTEM).startup();
    return port;
  }
}
