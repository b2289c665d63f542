import java.io.*;
import java.util.concurrent.atomic.LongAdder;

/** The executed stores, written to the file of -Dcounted= when the program ends. */
public class Counted {
    private static final LongAdder stores = new LongAdder(), slots = new LongAdder(), ors = new LongAdder(), checks = new LongAdder();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try (PrintStream out = new PrintStream(System.getProperty("counted"))) {
                out.println("{\"stores\": " + stores + ", \"slots\": " + slots + ", \"ors\": " + ors + ", \"checks\": " + checks + "}");
            } catch (IOException e) {
                System.err.println(e);
            }
        }));
    }

    public static void stores() { stores.increment(); }

    public static void slots() { slots.increment(); }

    public static void ors() { ors.increment(); }

    public static void checks() { checks.increment(); }
}
