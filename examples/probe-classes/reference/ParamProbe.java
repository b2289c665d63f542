import jopt.probes.MethodPattern;
import jopt.probes.Param;

/** A parameter, as it was at entry. */
@MethodPattern("Shop:take(String, int)")
public class ParamProbe {
  public static void onExit(@Param(1) String item, @Param(2) int count) {
    System.out.println("[Param] " + count + " of " + item);
  }
}
