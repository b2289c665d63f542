import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.IntStream;
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
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Time;
import real.Rounds;

/** A broker of Kafka in KRaft mode, which is sent records, and asked for them. */
public class Program {
  private static int topics;

  private static String round(String address) throws Exception {
    String topic = "prices" + ++topics;
    Map<String, Object> at = Map.of("bootstrap.servers", address);
    try (var admin = Admin.create(at)) {
      admin.createTopics(List.of(new NewTopic(topic, 3, (short) 1))).all().get();
    }
    Map<String, Object> options = Map.of("bootstrap.servers", address, "compression.type", "gzip",
        "enable.idempotence", "true", "transactional.id", topic);
    try (var producer =
        new KafkaProducer<>(options, new IntegerSerializer(), new StringSerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      for (int i = 0; i < 3000; ++i) {
        producer.send(new ProducerRecord<>(topic, i, "record " + i));
      }
      producer.commitTransaction();
    }
    Map<String, Object> reader = Map.of("bootstrap.servers", address, "group.id", topic,
        "auto.offset.reset", "earliest", "isolation.level", "read_committed");
    long sum = 0;
    int records = 0;
    int length = 0;
    var parts = new int[3];
    try (var consumer =
        new KafkaConsumer<>(reader, new IntegerDeserializer(), new StringDeserializer())) {
      consumer.assign(IntStream.range(0, 3).mapToObj(n -> new TopicPartition(topic, n)).toList());
      while (records < 3000) {
        for (var record : consumer.poll(Duration.ofSeconds(1))) {
          ++records;
          sum += record.key();
          length += record.value().length();
          ++parts[record.partition()];
        }
      }
      consumer.commitSync();
    }
    try (var admin = Admin.create(at)) {
      admin.deleteTopics(List.of(topic)).all().get();
    }
    return records + " records, sum " + sum + ", length " + length + ", partitions " + parts[0]
        + " " + parts[1] + " " + parts[2] + "\n";
  }

  private static int freePort() throws Exception {
    try (var socket = new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  public static void main(String[] args) throws Exception {
    int port = freePort();
    int controller = freePort();
    Path log = Path.of("log").toAbsolutePath();
    Properties p = new Properties();
    p.put("process.roles", "broker,controller");
    p.put("node.id", "1");
    p.put("listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controller);
    p.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port);
    p.put("controller.listener.names", "CONTROLLER");
    p.put("controller.quorum.voters", "1@127.0.0.1:" + controller);
    p.put("log.dirs", log.toString());
    p.put("offsets.topic.replication.factor", "1");
    p.put("offsets.topic.num.partitions", "2");
    p.put("transaction.state.log.replication.factor", "1");
    p.put("transaction.state.log.min.isr", "1");
    p.put("transaction.state.log.num.partitions", "2");
    Path file = Path.of("server.properties");
    try (var out = java.nio.file.Files.newBufferedWriter(file)) {
      p.store(out, null);
    }
    List<String> format = new ArrayList<>(List.of("format", "-t", "MkU3OEVBNTcwNTJENDM2Qg", "-c",
        file.toString()));
    int status = StorageTool.execute(format.toArray(new String[0]),
        new java.io.PrintStream(java.io.OutputStream.nullOutputStream()));
    if (status != 0) {
      throw new IllegalStateException("format: " + status);
    }
    KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(p), Time.SYSTEM);
    server.startup();
    Rounds.run(() -> round("127.0.0.1:" + port));
    server.shutdown();
    server.awaitShutdown();
  }
}
