import jopt.probes.MethodPattern;
import jopt.probes.ThrownException;

/** What leaves the method; null at a return. */
@MethodPattern("Shop:take(*)")
public class ThrownExceptionProbe {
  public static void onExit(@ThrownException Throwable thrown) {
    System.out.println("[ThrownException] " + thrown);
  }
}
