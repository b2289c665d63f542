// Two threads that write rows, and tell the file that is given how many they closed:
// 20,000 each and "halt", without end, or up to the "stops", where a row is open.
import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import jopt.probes.*;
public class Kill {
  static final class T extends Table {
    final LongColumn n = new LongColumn("n"); final StringColumn s = new StringColumn("s");
    T() { super(Kill.class, "T", LASTING_EVENTS | RECORD_THREAD); }
  }
  static final T t = new T();
  public static void main(String[] x) throws Exception {
    MappedByteBuffer closed = new RandomAccessFile(x[0], "rw").getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 16);
    Thread[] threads = new Thread[2];
    for (int k = 0; k < 2; k++) {
      final int odd = k;
      threads[k] = new Thread(() -> {
        boolean isStopped = x.length > 1 && x[1].equals("stops");
        long stop = isStopped ? 1 : -1;
        for (long i = 1; isStopped || x.length == 1 || i < 20000; i++) {
          int r = t.createRow();
          t.n.setValue(r, i * 2 + odd);
          t.s.setValue(r, i % 3 == 0 ? "third" : "s" + i);
          if (i == stop) {
            int more = Stops.next();
            if (more == 0) break;
            stop += more;
          }
          t.closeRow(r);
          closed.putLong(odd * 8, i);
        }
      });
      threads[k].start();
    }
    for (Thread thread : threads) thread.join();
    Runtime.getRuntime().halt(0);
  }
}
