import jopt.probes.MethodPattern;
import jopt.probes.MethodTimeMs;

/** How long this activation took, in milliseconds. */
@MethodPattern("Shop:rest(long)")
public class MethodTimeMsProbe {
  public static void onExit(@MethodTimeMs long time) {
    System.out.println("[MethodTimeMs] " + (time >= 20 && time < 20000 ? "as long as it rests" : time));
  }
}
