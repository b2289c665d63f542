/** Ends the JVM as it is told: exit or halt, and the status. */
public class Quits {
  public static void main(String[] args) throws Exception {
    System.out.println(args[0] + "|" + args[1] + "|quitter");
    System.out.flush();
    Thread quitter = new Thread(() -> {
      int status = Integer.parseInt(args[1]);
      if (args[0].equals("exit")) System.exit(status);
      Runtime.getRuntime().halt(status);
    }, "quitter");
    quitter.start();
    quitter.join();
  }
}
