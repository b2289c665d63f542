/// What count-activations calls.
public class Activations {
  public static int depth;
  public static void enter() { depth++; }
  public static void leave() { depth--; }
}
