import jopt.probes.MethodPattern;
import jopt.probes.ReturnValue;

/** The result is replaced. */
@MethodPattern("Shop:gift(int)")
public class OnReturnProbe {
  public static int onReturn(@ReturnValue int count) {
    System.out.println("[OnReturn] 2 for " + count);
    return 2;
  }
}
