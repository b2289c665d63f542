/** Works until its standard input ends; a class of its own has what is probed. */
public class Main {
  static class Work {
    static long done;

    static int step(int n) {
      return n + 1;
    }
  }

  public static void main(String[] args) throws Exception {
    int threads = args.length > 0 ? Integer.parseInt(args[0]) : 1;
    int pause = args.length > 1 ? Integer.parseInt(args[1]) : 10;
    for (int t = 0; t < threads; t++) {
      Thread worker = new Thread(() -> {
        for (int n = 0; ; n++) {
          if (Work.step(n) != n + 1) System.out.println("wrong result");
          try {
            if (pause > 0) Thread.sleep(pause);
          } catch (InterruptedException e) {
            return;
          }
        }
      });
      worker.setDaemon(true);
      worker.start();
    }
    System.out.println("ready");
    while (System.in.read() >= 0) {}
    System.out.println("end");
  }
}
