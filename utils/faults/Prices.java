import jopt.probes.*;

/** A probe class with a table. */
@MethodPattern("shop.*:price(*)")
public class Prices {
  static final class Calls extends Table {
    final LongColumn n = new LongColumn("n");

    Calls() {
      super(Prices.class, "Calls", Table.MASK_FOR_LASTING_EVENTS);
    }
  }

  private static final Calls CALLS = new Calls();

  public static int onEnter(@Param(1) int n) {
    int row = CALLS.createRow();
    CALLS.n.setValue(row, n);
    return row;
  }

  public static void onExit(@OnEnterResult int row, @ThrownException Throwable e) {
    CALLS.closeRow(row, e);
  }
}
