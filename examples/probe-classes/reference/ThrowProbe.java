import jopt.probes.MethodPattern;
import jopt.probes.This;
import jopt.probes.Throw;
import jopt.probes.ThrownException;

/** What a method throws itself, where it does. */
@MethodPattern("Shop:*(*)")
public class ThrowProbe {
  @Throw
  public static void thrown(@This Shop shop, @ThrownException Throwable thrown) {
    System.out.println("[Throw] " + thrown.getMessage() + " of a " + shop.getClass().getName());
  }
}
