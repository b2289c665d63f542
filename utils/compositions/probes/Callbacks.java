import jopt.probes.*;

@MethodPattern("composed.*:*(*)")
public class Callbacks {
    public static long onEnter(@ClassRef Class<?> c, @This Object o) { return 1; }
    public static void onReturn(@OnEnterResult long kept, @MethodTimeMs long time) { }
    public static void onUncaughtException(@OnEnterResult long kept, @ThrownException Throwable t) { }
}
