import jopt.probes.MethodName;
import jopt.probes.MethodPattern;

/** The name of the method. */
@MethodPattern("Shop:<init>()")
public class MethodNameProbe {
  public static void onEnter(@MethodName String method) {
    System.out.println("[MethodName] " + method);
  }
}
