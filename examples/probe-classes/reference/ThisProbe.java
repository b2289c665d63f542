import jopt.probes.MethodPattern;
import jopt.probes.This;

/** The object. */
@MethodPattern("Shop:take(*)")
public class ThisProbe {
  public static void onEnter(@This Shop shop) {
    System.out.println("[This] " + shop.stock + " there");
  }
}
