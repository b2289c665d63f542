/** For each line of its standard input that has a number: so many events in all, 500 in each millisecond, and one after a while. */
public class Stream {
  static class Work {
    static void event(long n) {}
  }

  public static void main(String[] args) throws Exception {
    java.io.BufferedReader in = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
    System.out.println("ready");
    for (String line; (line = in.readLine()) != null; ) {
      long most = Long.parseLong(line), n = 0, since = System.nanoTime();
      while (n < most) {
        for (long due = Math.min(most, (System.nanoTime() - since) / 2000); n < due; n++) Work.event(n);
        Thread.sleep(1);
      }
      System.out.println("done " + (System.nanoTime() - since) / 1000000);
      // What waits is fetched by then; if not, this is lost and counted as others.
      Thread.sleep(1000);
      Work.event(n);
      System.out.println("last");
    }
    System.out.println("end");
  }
}
