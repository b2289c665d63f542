import jopt.probes.MethodPattern;
import jopt.probes.ThrownException;

/** The exception ends, and the method returns. */
@MethodPattern("Shop:strict(int)")
public class OnUncaughtExceptionExtProbe {
  public static int onUncaughtExceptionExt(@ThrownException Throwable thrown) {
    System.out.println("[OnUncaughtExceptionExt] 0 instead of " + thrown.getMessage());
    return 0;
  }
}
