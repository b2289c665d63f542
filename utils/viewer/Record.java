import jopt.probes.*;

/** Records rows: `java Record N` leaves N requests, and a query of every second one. */
public class Record {
  static final class Request extends Table {
    final StringColumn url = new StringColumn("URL");
    final IntColumn n = new IntColumn("n");
    final LongColumn big = new LongColumn("big");

    Request() {
      super(Record.class, "Request", LASTING_EVENTS | RECORD_THREAD);
    }
  }

  static final class Query extends Table {
    final StringColumn sql = new StringColumn("SQL");

    Query() {
      super(requests, "Query", MASK_FOR_LASTING_EVENTS);
    }
  }

  static final Request requests = new Request();
  static final Query queries = new Query();

  static void record(int from, int to) {
    for (int i = from; i < to; i++) {
      int r = requests.createRow();
      requests.url.setValue(r, i == 0 ? "first </script><b onclick=x>\"" : "/page/" + i % 1000);
      requests.n.setValue(r, i);
      requests.big.setValue(r, Long.MAX_VALUE - i);
      if (i % 2 == 0) {
        int q = queries.createRow(r);
        queries.sql.setValue(q, "select " + i % 5);
        queries.closeRow(q);
      }
      requests.closeRow(r, i % 100 == 99 ? new IllegalStateException("no " + i) : null);
    }
  }

  public static void main(String[] a) throws Exception {
    int n = Integer.parseInt(a[0]);
    Thread t = new Thread(() -> record(n / 2, n), "second");
    record(0, n / 2);
    t.start();
    t.join();
  }
}
