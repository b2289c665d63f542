import jopt.probes.ClassRef;
import jopt.probes.MethodPattern;

/** The class that has the method. */
@MethodPattern("Shop:gift(*)")
public class ClassRefProbe {
  public static void onEnter(@ClassRef Class<?> where) {
    System.out.println("[ClassRef] " + where.getName());
  }
}
