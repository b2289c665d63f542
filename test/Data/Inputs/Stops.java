// Two threads stop together, over and over, and whoever started the program looks at
// what a kill would leave now: it says how many turns they have until the next stop.
import java.util.Scanner;
import java.util.concurrent.CyclicBarrier;
public class Stops {
  private static final Scanner IN = new Scanner(System.in);
  private static final CyclicBarrier BARRIER = new CyclicBarrier(2, Stops::ask);
  private static int turns;
  private static void ask() {
    System.out.println("stopped");
    turns = IN.nextInt();
  }
  /** Until the next stop; 0: there is none. */
  public static int next() {
    try { BARRIER.await(); } catch (Exception e) { throw new Error(e); }
    return turns;
  }
}
