import jopt.probes.MethodParameterTypes;
import jopt.probes.MethodPattern;

/** The types of its parameters, as Java has them. */
@MethodPattern("Shop:take(*)")
public class MethodParameterTypesProbe {
  public static void onEnter(@MethodParameterTypes String types) {
    System.out.println("[MethodParameterTypes] " + types);
  }
}
