import jopt.probes.MethodPattern;
import jopt.probes.MethodTimeNs;

/** The same in nanoseconds. */
@MethodPattern("Shop:rest(long)")
public class MethodTimeNsProbe {
  public static void onExit(@MethodTimeNs long time) {
    System.out.println("[MethodTimeNs] " + (time / 1000000 >= 20 ? "as long as it rests" : time));
  }
}
