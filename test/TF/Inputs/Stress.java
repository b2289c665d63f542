import java.lang.annotation.*;
import java.lang.ref.WeakReference;
import java.net.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import jopt.tf.*;
import jopt.tf.annotation.*;

// 16 threads register, clear, load classes and run monitored methods: those of the
// class Work in the folder "traced". One of them is the only one that registers at
// the annotation of the class Alone itself, and sees its calls as soon as it has. With an argument: for libraries in which a
// cleared annotation leaves a monitor and classes stay.
public class Stress {
  @MethodMonitorGroup(Middle.class) @Retention(RetentionPolicy.RUNTIME)
  public @interface Top {}
  @MethodMonitorGroup(Low.class) @Retention(RetentionPolicy.RUNTIME)
  public @interface Middle {}
  @MethodMonitorGroup @Retention(RetentionPolicy.RUNTIME)
  public @interface Low {}

  @MethodMonitorGroup @Retention(RetentionPolicy.RUNTIME)
  public @interface Own {}
  @MethodMonitorGroup(Own.class) @Retention(RetentionPolicy.RUNTIME)
  public @interface Above {}

  static final LongAdder calls = new LongAdder(), runs = new LongAdder();
  static final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  // Per thread and factory: who entered, and what.
  static class Recorder extends MethodMonitorFactoryBase {
    final ThreadLocal<ArrayDeque<Object>> open =
        ThreadLocal.withInitial(ArrayDeque::new);
    final LongAdder entered = new LongAdder();
    Recorder(String name) { super(name); }
    public MethodMonitor create(Class<?> cls) {
      return new MethodMonitorBase(name(), cls, this) {
        public void enter(int i, Object... a) {
          open.get().push(i);
          open.get().push(this);
          calls.increment();
          entered.increment();
        }
        public void exit(int i) {
          ArrayDeque<Object> o = open.get();
          if (o.poll() != this || !Integer.valueOf(i).equals(o.poll()))
            wrong.add("exit of " + i + " without its enter");
        }
        public void exit(int i, Object r) { exit(i); }
        public void info(Object[] a, int c, int s) {}
        public void exception(int i, Throwable t) {}
        public void clear() {}
      };
    }
    void check() {
      if (!open.get().isEmpty()) wrong.add("enter without exit");
    }
  }

  static void own(Random random, Recorder recorder) throws Exception {
    Runnable alone = load("Alone");
    if (random.nextBoolean()) alone.run();
    MethodMonitorRegistry.register(Own.class, recorder);
    long before = recorder.entered.sum();
    alone.run();
    load("Alone").run();
    if (recorder.entered.sum() != before + 2)
      wrong.add("not traced after register");
    MethodMonitorRegistry.clear(Own.class);
    alone.run();
    if (recorder.entered.sum() != before + 2) wrong.add("traced after clear");
    recorder.check();
  }

  static Runnable load(String name) throws Exception {
    URL[] urls = {new java.io.File("traced").toURI().toURL()};
    ClassLoader loader = new URLClassLoader(urls, Stress.class.getClassLoader());
    return (Runnable) loader.loadClass(name).getConstructor().newInstance();
  }

  public static void main(String[] args) throws Exception {
    final Recorder[] recorders = {
      new Recorder("a"), new Recorder("b"), new Recorder("c")
    };
    final Recorder alone = new Recorder("alone");
    final List<Class<? extends Annotation>> groups =
        Arrays.asList(Top.class, Middle.class, Low.class, Above.class);
    final Queue<Runnable> loaded = new ConcurrentLinkedQueue<>();
    final AtomicReferenceArray<Runnable> some = new AtomicReferenceArray<>(8);
    for (int i = 0; i < 8; i++) {
      some.set(i, load("Work"));
      loaded.add(some.get(i));
    }
    final long end = System.nanoTime() + 3_000_000_000L;
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 16; t++) {
      final int self = t;
      Thread thread = new Thread(() -> {
        try {
          Random random = new Random(self);
          while (System.nanoTime() < end) {
            if (self == 0) {
              own(random, alone);
            } else if (self < 4) {
              Class<? extends Annotation> g = groups.get(random.nextInt(4));
              if (random.nextBoolean()) MethodMonitorRegistry.clear(g);
              else MethodMonitorRegistry.register(g,
                  recorders[random.nextInt(3)]);
              Thread.yield();
            } else if (self < 6) {
              Runnable made = load("Work");
              some.set(random.nextInt(8), made);
              if (loaded.size() < 200) loaded.add(made);
              made.run();
            } else {
              some.get(random.nextInt(8)).run();
              runs.increment();
            }
          }
          for (Recorder r : recorders) r.check();
        } catch (Throwable e) {
          wrong.add(e.toString());
        }
      });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) thread.join();
    if (!wrong.isEmpty()) throw new AssertionError(wrong.size() + " "
        + wrong.peek());
    // A call makes five enters at each monitor.
    if (calls.sum() == 0 || runs.sum() == 0) throw new AssertionError("idle");
    System.out.println("monitored and unmonitored calls, balanced");
    if (args.length > 0) return;

    for (Class<? extends Annotation> g : groups) MethodMonitorRegistry.clear(g);
    for (Runnable r : loaded) same(r, null);
    MethodMonitorRegistry.register(Top.class, recorders[0]);
    for (Runnable r : loaded) same(r, "a");
    System.out.println("all classes are up to date: " + loaded.size());
    MethodMonitorRegistry.clear(Top.class);
    for (Runnable r : loaded) same(r, null);
    System.out.println("after clearing: no monitor");

    List<WeakReference<Class<?>>> classes = new ArrayList<>();
    MethodMonitorRegistry.register(Low.class, recorders[1]);
    for (Runnable r : loaded) classes.add(new WeakReference<>(r.getClass()));
    loaded.clear();
    for (int i = 0; i < 8; i++) some.set(i, null);
    for (int i = 0; i < 50; i++) {
      System.gc();
      long left = classes.stream().filter(c -> c.get() != null).count();
      if (left == 0) {
        System.out.println("classes are unloaded");
        return;
      }
      Thread.sleep(20);
    }
    throw new AssertionError("classes stay");
  }

  static void same(Runnable r, String name) {
    MethodMonitor m =
        MethodMonitorRegistry.getMethodMonitorForClass(r.getClass(), Low.class);
    if (!Objects.equals(m == null ? null : m.name(), name))
      throw new AssertionError(m + ", not " + name);
  }
}
