import jopt.probes.MethodName;
import jopt.probes.MethodPattern;
import jopt.probes.ThrownException;

/** What leaves by an exception alone. */
@MethodPattern("Shop:take(*)")
public class OnUncaughtExceptionProbe {
  public static void onUncaughtException(
      @MethodName String method, @ThrownException Throwable thrown) {
    System.out.println("[OnUncaughtException] " + method + ": " + thrown.getMessage());
  }
}
