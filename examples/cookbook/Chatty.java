/** One place writes most of the log. */
public class Chatty {
  static class Log {
    static void debug(String text) {}
  }

  static void parse() {
    for (int i = 0; i < 50; i++)
      Log.debug("token " + i);
  }

  static void start() {
    Log.debug("started");
  }

  static void turn() {
    start();
    parse();
  }
}
