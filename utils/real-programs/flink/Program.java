import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import real.Rounds;

/** Streams of Flink on a cluster in one JVM: keys, state, windows of counts. */
public class Program {
  private static final Queue<Long> KEYS = new ConcurrentLinkedQueue<>();

  private static long keep(long key) {
    KEYS.add(key);
    return key;
  }

  private static String round(MiniCluster cluster) throws Exception {
    KEYS.clear();
    var stream = StreamExecutionEnvironment.getExecutionEnvironment();
    stream.setParallelism(2);
    stream.fromSequence(1, 3000).map(n -> Tuple2.of(n % 7, n))
        .returns(Types.TUPLE(Types.LONG, Types.LONG)).keyBy(t -> t.f0, Types.LONG)
        .countWindow(100).reduce((a, b) -> Tuple2.of(a.f0, a.f1 + b.f1))
        .map(t -> keep(t.f0)).returns(Types.LONG).sinkTo(new DiscardingSink<>());
    cluster.executeJobBlocking(stream.getStreamGraph().getJobGraph());
    List<Long> keys = new ArrayList<>(KEYS);
    Collections.sort(keys);
    return keys + "\n";
  }

  public static void main(String[] args) throws Exception {
    var settings = new Configuration();
    settings.set(RestOptions.BIND_PORT, "0");
    settings.set(RestOptions.BIND_ADDRESS, "127.0.0.1");
    var options = new MiniClusterConfiguration.Builder().setConfiguration(settings)
        .setNumTaskManagers(1).setNumSlotsPerTaskManager(2).build();
    try (var cluster = new MiniCluster(options)) {
      cluster.start();
      Rounds.run(() -> round(cluster));
    }
  }
}
