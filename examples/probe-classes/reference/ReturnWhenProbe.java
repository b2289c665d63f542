import jopt.probes.MethodPattern;
import jopt.probes.Param;
import jopt.probes.ReturnWhen;

/** The method returns at its entry, without its body. */
@MethodPattern("Shop:number(String)")
public class ReturnWhenProbe {
  @ReturnWhen("isDozen")
  public static int onEnter() {
    System.out.println("[ReturnWhen] 12, which nobody parsed");
    return 12;
  }

  public static boolean isDozen(@Param(1) String text) {
    return text.equals("12");
  }
}
