import jopt.probes.MethodName;
import jopt.probes.MethodPattern;
import jopt.probes.MethodTimeMs;
import jopt.probes.Param;
import jopt.probes.ClassRef;
import jopt.probes.ThrownException;

/** Says which calls of public methods of a package took long, and what came of them. */
@MethodPattern({"shop.*:*(*)", "-shop.*:<init>(*)"})
public class Slow {
  public static void onExit(
      @ClassRef Class<?> where,
      @MethodName String method,
      @Param(1) Object first,
      @MethodTimeMs long time,
      @ThrownException Throwable thrown) {
    if (time >= 20)
      System.out.println(where.getName() + "." + method + "(" + first + ") took long"
          + (thrown == null ? "" : " and threw " + thrown.getMessage()));
  }
}
