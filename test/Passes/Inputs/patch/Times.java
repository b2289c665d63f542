import jopt.probes.*;
@MethodPattern({"*:*(*)", "java.*:*(*)", "sun.*:*(*)"})
public class Times {
  public static Object onEnter(@ClassRef Class<?> c, @Param(2) int p) { return c; }
  public static void onReturn(@OnEnterResult Object c, @MethodTimeMs long d, @ReturnValue int r, @Param(1) Object q) {}
  public static void onUncaughtException(@OnEnterResult Object c, @ThrownException Throwable t) {}
}
