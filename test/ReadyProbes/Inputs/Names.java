import java.util.*;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import javax.naming.*;

/** Uses Tomcat's names from 16 threads, and prints each call as the probes are to record it: operation|name|result. */
public class Names {
  static final CyclicBarrier made = new CyclicBarrier(16);
  static final List<String> log = Collections.synchronizedList(new ArrayList<>());

  static void work(int thread) throws Exception {
    Hashtable<String, String> environment = new Hashtable<>();
    environment.put(Context.INITIAL_CONTEXT_FACTORY, "org.apache.naming.java.javaURLContextFactory");
    environment.put(Context.URL_PKG_PREFIXES, "org.apache.naming");
    Context c = new InitialContext(environment);
    String mine = "shop" + thread;
    // Contexts of Tomcat are for one thread that writes, or any that read.
    synchronized (made) {
      c.createSubcontext(mine);
    }
    made.await(1, TimeUnit.MINUTES);
    log.add("createSubcontext|" + mine + "|org.apache.naming.NamingContext");
    for (int i = 0; i < 3; i++) {
      c.bind(mine + "/n" + i, "value " + i);
      log.add("bind|" + mine + "/n" + i + "|");
      c.lookup(mine + "/n" + i);
      log.add("lookup|" + mine + "/n" + i + "|java.lang.String");
      c.lookup(new CompositeName(mine + "/n" + i));
      log.add("lookup|" + mine + "/n" + i + "|java.lang.String");
    }
    c.list(mine);
    log.add("list|" + mine + "|org.apache.naming.NamingContextEnumeration");
    Context below = (Context) c.lookup(mine);
    log.add("lookup|" + mine + "|org.apache.naming.NamingContext");
    below.lookup("n0");
    log.add("lookup|n0|java.lang.String");
    try {
      c.lookup(mine + "/none");
    } catch (NamingException e) {
      log.add("lookup|" + mine + "/none|failed");
    }
    c.unbind(mine + "/n0");
    log.add("unbind|" + mine + "/n0|");
  }

  public static void main(String[] args) throws Exception {
    List<Thread> all = new ArrayList<>();
    for (int t = 0; t < 16; t++) {
      int thread = t;
      all.add(new Thread(() -> {
        try {
          work(thread);
        } catch (Throwable e) {
          log.add("unexpected " + e);
        }
      }));
    }
    for (Thread t : all) t.start();
    for (Thread t : all) t.join();
    for (String line : log) System.out.println(line);
  }
}
