/** Parses by trial and error. */
public class ExceptionStorm {
  static int number(String text) {
    return Integer.parseInt(text);
  }

  static void turn() {
    for (String word : "one 2 three 4".split(" "))
      try {
        number(word);
      } catch (NumberFormatException e) {
        // not a number, then
      }
  }
}
