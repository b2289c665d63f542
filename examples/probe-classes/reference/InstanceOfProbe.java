import jopt.probes.InstanceOf;
import jopt.probes.MethodName;
import jopt.probes.MethodPattern;

/** Only in classes that are, extend or implement a type. */
@MethodPattern("*:run()")
@InstanceOf("java.lang.Runnable")
public class InstanceOfProbe {
  public static void onEnter(@MethodName String method) {
    System.out.println("[InstanceOf] " + method + " of a Runnable");
  }
}
