/** One request fails until the last attempt, and nobody says so. */
public class Retries {
  static void send(String request, int attempt) {
    if (request.equals("invoice") && attempt < 3)
      throw new IllegalStateException("timeout");
  }

  static void turn() {
    for (String request : new String[] {"order", "invoice"})
      for (int attempt = 1; attempt <= 3; attempt++)
        try {
          send(request, attempt);
          break;
        } catch (IllegalStateException e) {
          // again
        }
  }
}
