import jopt.probes.MethodPattern;
import jopt.probes.ReturnValue;

/** What the method returns; 0 where an exception leaves. */
@MethodPattern("Shop:take(*)")
public class ReturnValueProbe {
  public static void onExit(@ReturnValue boolean taken) {
    System.out.println("[ReturnValue] " + taken);
  }
}
