// Two threads that do the same, turn after turn.
public class K extends Thread {
  static int step(int i) { return i % 3 == 0 ? i : other(i); }
  static int other(int i) { return -i; }
  static void work(int turns) { for (int i = 0; i < turns; i++) step(i); }
  final int turns;
  K(int turns) { this.turns = turns; }
  @Override public void run() {
    work(turns);
    if (turns == 0) for (int n; (n = Stops.next()) > 0; ) work(n);
  }
  public static void main(String[] args) throws Exception {
    int turns = Integer.parseInt(args[0]);
    Thread[] threads = {new K(turns), new K(turns)};
    System.out.println(Thread.currentThread().getId()); // 3 on Java 25
    for (Thread t : threads) t.start();
    for (Thread t : threads) t.join();
    Runtime.getRuntime().halt(0);
  }
}
