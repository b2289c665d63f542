import jopt.probes.MethodPattern;
import jopt.probes.MethodSignature;

/** Its descriptor. */
@MethodPattern("Shop:number(*)")
public class MethodSignatureProbe {
  public static void onEnter(@MethodSignature String signature) {
    System.out.println("[MethodSignature] " + signature);
  }
}
