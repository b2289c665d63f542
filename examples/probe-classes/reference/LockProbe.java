import jopt.probes.Lock;
import jopt.probes.MethodName;
import jopt.probes.MethodPattern;

/** The lock of synchronized methods, and these alone. */
@MethodPattern("Shop:*(*)")
public class LockProbe {
  public static void onExit(@MethodName String method, @Lock Object lock) {
    System.out.println("[Lock] " + method + " gives it back: " + Thread.holdsLock(lock));
  }
}
