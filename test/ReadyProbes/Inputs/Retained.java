import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.VirtualMachine;
import java.io.*;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.net.*;
import java.sql.*;
import java.util.*;
import java.util.concurrent.*;
import javax.management.ObjectName;

/**
 * Attaches a library of jopt to this JVM, uses databases, files, sockets, pools and threads, takes the probes out, and prints of which classes there
 * are more objects than after the same work without probes: Retained LIBRARY OPTIONS.
 */
public class Retained {
  /** What is open when the probes go. */
  static final List<AutoCloseable> open = Collections.synchronizedList(new ArrayList<>());

  static void work(int thread, boolean keep) throws Exception {
    for (int i = 0; i < 20; i++) {
      Connection c = DriverManager.getConnection("jdbc:h2:mem:db" + thread);
      PreparedStatement p = c.prepareStatement("SELECT X FROM SYSTEM_RANGE(1, 10) WHERE X > ?");
      p.setInt(1, 3);
      ResultSet r = p.executeQuery();
      r.next();
      File file = new File("data" + thread + "-" + i);
      FileOutputStream out = new FileOutputStream(file);
      out.write(new byte[100]);
      FileInputStream in = new FileInputStream(file);
      in.getChannel().read(java.nio.ByteBuffer.allocate(10));
      ServerSocket server = new ServerSocket(0);
      Socket to = new Socket("127.0.0.1", server.getLocalPort()), from = server.accept();
      to.getOutputStream().write(7);
      from.getInputStream().read();
      ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
      pool.submit(() -> 1).get();
      AutoCloseable[] all = {r, p, c, out, in, from, to, server, pool::shutdown};
      for (AutoCloseable each : all) {
        if (keep && i == 19) open.add(each);
        else each.close();
      }
    }
  }

  /** They stay, as the record keeps some of those that ended; no pool, which would keep its class from being changed. */
  static final List<BlockingQueue<FutureTask<?>>> threads = new ArrayList<>();

  static {
    for (int t = 0; t < 16; t++) {
      BlockingQueue<FutureTask<?>> queue = new LinkedBlockingQueue<>();
      threads.add(queue);
      Thread thread = new Thread(() -> {
        try {
          for (;;) queue.take().run();
        } catch (InterruptedException e) {
          // nobody does that
        }
      });
      thread.setDaemon(true);
      thread.start();
    }
  }

  static void run(boolean keep) throws Exception {
    List<Future<?>> all = new ArrayList<>();
    for (int t = 0; t < 16; t++) {
      int thread = t;
      FutureTask<?> task = new FutureTask<>(() -> {
        work(thread, keep);
        return null;
      });
      threads.get(t).add(task);
      all.add(task);
    }
    for (Future<?> f : all) f.get();
  }

  static void close() throws Exception {
    for (AutoCloseable each : open) each.close();
    open.clear();
  }

  /** As jcmd GC.class_histogram shows: live objects of each class. */
  static Map<String, Integer> histogram() throws Exception {
    Map<String, Integer> counts = new TreeMap<>();
    for (int i = 0; i < 3; i++) { // references of several kinds go one after another
      Thread.sleep(300);
      // The JDK's table of method types holds them weakly, and clears what is left of those that went when it is asked.
      MethodType.methodType(int.class, Retained.class);
      String text = (String) ManagementFactory.getPlatformMBeanServer().invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram", new Object[] {null}, new String[] {String[].class.getName()});
      counts.clear();
      for (String line : text.split("\n")) {
        String[] parts = line.trim().split("\\s+");
        if (parts.length >= 4 && parts[0].endsWith(":")) counts.merge(parts[3], Integer.parseInt(parts[1]), Integer::sum);
      }
    }
    return counts;
  }

  static int probes(Map<String, Integer> histogram) {
    int sum = 0;
    for (Map.Entry<String, Integer> e : histogram.entrySet())
      if (e.getKey().startsWith("jopt.probes.ready.") || e.getKey().equals("jopt.boot.ProbeLoader")) sum += e.getValue();
    return sum;
  }

  static void attach(VirtualMachine vm, String library, String options) throws Exception {
    try {
      vm.loadAgentPath(library, options);
    } catch (AgentInitializationException e) {
      if (e.returnValue() != 106) throw e; // classes are left for later: threads wait in ForkJoinPool
    }
  }

  public static void main(String[] args) throws Exception {
    VirtualMachine vm = VirtualMachine.attach(String.valueOf(ProcessHandle.current().pid()));
    run(false);
    attach(vm, args[0], args[1]); // the classes of probes, and what is made once
    run(true);
    attach(vm, args[0], "off");
    close();
    run(false);
    Map<String, Integer> before = histogram();
    for (int i = 0; i < 3; i++) {
      // Weak maps of probes drop the entries of objects that went when others come: without this, as often as the JVM collects old objects.
      System.gc();
      attach(vm, args[0], args[1]);
      run(true);
      attach(vm, args[0], "off");
      close();
      run(false);
    }
    Map<String, Integer> after = histogram();
    // Of what is kept by accident there are as many as there are threads and rounds.
    int least = 40;
    int more = 0;
    for (String name : after.keySet()) {
      int count = after.get(name) - before.getOrDefault(name, 0);
      if (count < least) continue;
      // Strings that are recorded; entries of weak maps and of thread locals, which go when others come. The JVM's own forms of method handles.
      if (name.startsWith("jopt.boot.record.") || name.contains("FillerElement") || name.equals("jopt.probes.internal.WeakIdentityMap$Entry")) continue;
      if (name.matches("\\[B|\\[I|\\[J|\\[Ljava.lang.Object;|java[.]lang[.](Class|Integer|Object|String)|java[.]util[.]TreeMap[$]Entry|java[.]lang[.]ThreadLocal[$]ThreadLocalMap[$]Entry")) continue;
      System.out.println(name + ": " + before.getOrDefault(name, 0) + ", then " + after.get(name));
      more++;
    }
    System.out.println("more of " + more + " classes; of probes " + (probes(after) == 0 ? "none" : probes(after) - probes(before) < least ? "as many" : probes(before) + ", then " + probes(after)));
    System.exit(0);
  }
}
