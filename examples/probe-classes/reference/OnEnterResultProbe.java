import jopt.probes.MethodPattern;
import jopt.probes.OnEnterResult;
import jopt.probes.This;

/** What onEnter returned in the same activation. */
@MethodPattern("Shop:take(*)")
public class OnEnterResultProbe {
  public static int onEnter(@This Shop shop) {
    return shop.stock;
  }

  public static void onExit(@This Shop shop, @OnEnterResult int before) {
    System.out.println("[OnEnterResult] " + before + " before, " + shop.stock + " now");
  }
}
