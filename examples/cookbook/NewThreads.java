/** A thread for each message. */
public class NewThreads {
  static void send(String message) throws InterruptedException {
    Thread mailer = new Thread(() -> message.trim(), "mailer");
    mailer.start();
    mailer.join();
  }

  static void turn() throws InterruptedException {
    send("hello");
  }
}
