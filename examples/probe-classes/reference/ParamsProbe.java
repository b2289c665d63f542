import jopt.probes.MethodPattern;
import jopt.probes.Params;

/** All parameters. */
@MethodPattern("Shop:take(*)")
public class ParamsProbe {
  public static void onEnter(@Params Object[] all) {
    System.out.println("[Params] " + java.util.Arrays.toString(all));
  }
}
