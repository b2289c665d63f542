/// What count-activations calls: says at the end if an activation is left.
public class Activations {
  static int depth;
  static {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      if (depth != 0)
        System.out.println("activations left: " + depth);
    }));
  }
  public static void enter() { depth++; }
  public static void leave() { depth--; }
}
