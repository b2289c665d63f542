import jopt.probes.MethodName;
import jopt.probes.MethodPattern;

/** Which methods: patterns that include, and ones that exclude. */
@MethodPattern({"Shop:*(String, int)", "-Shop:order(*)"})
public class MethodPatternProbe {
  public static void onEnter(@MethodName String method) {
    System.out.println("[MethodPattern] " + method);
  }
}
