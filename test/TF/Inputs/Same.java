// What this library and the original one print alike.
import java.util.Arrays;
import java.util.Collections;
import jopt.tf.*;
import jopt.tf.timer.*;

public class Same {
  static void show(MethodMonitorFactory f) {
    MethodMonitor m = f.create(Same.class);
    System.out.println(f + " " + f.name() + " " + f.contents() + " " + m + " "
        + m.name() + " " + (m.factory() == f) + " " + m.myClass());
  }

  static void fails(String what, Runnable r) {
    try {
      r.run();
      System.out.println(what + " passes");
    } catch (RuntimeException e) {
      System.out.println(what + " fails");
    }
  }

  public static void main(String[] args) throws Exception {
    final MethodMonitorFactory no = MethodMonitorFactoryDefaults.noOp();
    MethodMonitorFactory dprint = MethodMonitorFactoryDefaults.dprint();
    MethodMonitorFactory ops = MethodMonitorFactoryDefaults.operationTracer();
    show(no);
    show(dprint);
    show(ops);
    show(MethodMonitorFactoryDefaults.compose(
        Collections.<MethodMonitorFactory>emptyList()));
    show(MethodMonitorFactoryDefaults.compose(Arrays.asList(dprint)));

    Traced t = new Traced();
    t.run();
    System.out.println(MethodMonitorRegistry.getMethodNames(Traced.class));
    System.out.println(MethodMonitorRegistry.getTimerTypes(Traced.class));
    System.out.println(MethodMonitorRegistry.getTimerNames(Traced.class));
    System.out.println(MethodMonitorRegistry.getMethodName(Traced.class, 4)
        + MethodMonitorRegistry.getMethodIdentifier(Traced.class, "write")
        + MethodMonitorRegistry.getMethodIdentifier(Traced.class, "none"));
    System.out.println(MethodMonitorRegistry.getMethodMonitorForClass(
        Traced.class, Read.class));

    System.out.println("-- dprint at Read");
    MethodMonitorRegistry.register(Read.class, dprint);
    System.out.println(MethodMonitorRegistry.registeredFactory(Read.class)
        + " " + MethodMonitorRegistry.registeredFactory(Write.class));
    t.run();
    System.out.println("-- and at Write, prefix");
    MethodMonitorRegistry.register(Write.class, dprint);
    MethodMonitorFactoryDefaults.addPrefix("java.lang", "LANG");
    t.run();
    System.out.println("-- the tracer of operations");
    MethodMonitorRegistry.register(Read.class, ops);
    MethodMonitorRegistry.register(Write.class, no);
    OperationTracer.enable();
    OperationTracer.begin("label");
    t.run();
    System.out.println("[" + OperationTracer.getAsString() + "]");
    OperationTracer.enter("m", 1, "x", null, new int[] {1});
    OperationTracer.enter("n");
    System.out.println("[" + OperationTracer.getAsString() + "]");
    OperationTracer.exit();
    OperationTracer.freeze();
    OperationTracer.exit();
    OperationTracer.enter("z");
    System.out.println("[" + OperationTracer.getAsString() + "]");
    OperationTracer.finish();
    System.out.println("[" + OperationTracer.getAsString() + "]");
    OperationTracer.begin("again");
    System.out.println("[" + OperationTracer.getAsString() + "]");
    OperationTracer.enter("y");
    System.out.println("[" + OperationTracer.getAsString() + "]");
    OperationTracer.clear();
    System.out.println("[" + OperationTracer.getAsString() + "]");
    OperationTracer.enter("y");
    OperationTracer.disable();
    OperationTracer.enter("z");
    System.out.println("[" + OperationTracer.getAsString() + "]");

    System.out.println("-- what is refused");
    fails("annotation", () ->
        MethodMonitorRegistry.register(Deprecated.class, no));
    fails("clear", () -> MethodMonitorRegistry.clear(Deprecated.class));
    fails("null", () -> MethodMonitorRegistry.register(null, no));
    fails("no factory", () -> MethodMonitorRegistry.register(Read.class, null));
    fails("class", () -> MethodMonitorRegistry.registerClass(Same.class));
    fails("name", () -> MethodMonitorRegistry.getMethodName(Same.class, 0));
    fails("-1", () -> MethodMonitorRegistry.getMethodName(Traced.class, -1));
    fails("6", () -> MethodMonitorRegistry.getMethodName(Traced.class, 6));
    fails("monitor", () -> MethodMonitorRegistry.getMethodMonitorForClass(
        Same.class, Read.class));
    fails("annotation of class", () ->
        MethodMonitorRegistry.getMethodMonitorForClass(
            Traced.class, ReadWrite.class));
    MethodMonitorRegistry.registerAnnotationFile("pfl");
    System.out.println(
        new java.util.TreeSet<>(MethodMonitorRegistry.getMMAnnotations()));

    System.out.println("-- timers");
    TimerFactory tf = TimerFactoryBuilder.make("TF", "all");
    Timer a = tf.makeTimer("a", "first");
    Timer b = tf.makeTimer("b", "second");
    TimerGroup g = tf.makeTimerGroup("g", "one");
    TimerGroup h = tf.makeTimerGroup("h", "two");
    System.out.println(g.add(a) + " " + g.add(a) + " " + h.add(g) + " "
        + g.add(h) + " " + tf.id() + a.id() + b.id() + g.id() + h.id()
        + tf.numberOfIds() + " " + a.description() + " " + a.contents()
        + " " + tf.contents().size() + " " + g.contents().size()
        + " " + (tf.getControllable(2) == b)
        + tf.timerAlreadyExists("a") + tf.timerAlreadyExists("c")
        + tf.timers().keySet() + " " + (a.factory() == tf)
        + (tf.factory() == tf));
    h.enable();
    System.out.println(a.isActivated() + " " + b.isActivated() + " "
        + h.isEnabled() + g.isEnabled() + " " + tf.enabledSet().size()
        + tf.activeSet().size());
    h.remove(g);
    h.disable();
    tf.enable();
    System.out.println(a.isActivated() + " " + b.isActivated());
    tf.disable();
    b.enable();
    System.out.println(a.isActivated() + " " + b.isActivated());
    fails("timer", () -> tf.makeTimer("a", ""));
    fails("group", () -> tf.makeTimerGroup("g", ""));
    fails("group TF", () -> tf.makeTimerGroup("TF", ""));
    fails("group a", () -> tf.makeTimerGroup("a", ""));
    fails("factory", () -> TimerFactoryBuilder.make("TF", ""));
    fails("id", () -> tf.getControllable(77));
    TimerEventController c = tf.makeController("c");
    LogEventHandler log = tf.makeLogEventHandler("log");
    StatsEventHandler stats = tf.makeStatsEventHandler("stats");
    StatsEventHandler many = tf.makeMultiThreadedStatsEventHandler("many");
    TimerEventHandler trace = tf.makeTracingEventHandler("trace");
    fails("controller", () -> tf.makeController("c"));
    fails("other controller", () -> tf.makeController("log"));
    fails("handler", () -> tf.makeStatsEventHandler("log"));
    c.register(log);
    c.enter(a);
    c.enter(b);
    c.exit(b);
    c.deregister(log);
    c.enter(b);
    System.out.println(c.handlers().size() + " " + c);
    for (TimerEvent e : log) {
      System.out.println(e.type() + " " + e.timer().name());
    }
    log.clear();
    TimerEvent.TimerEventType in = TimerEvent.TimerEventType.ENTER;
    TimerEvent.TimerEventType out = TimerEvent.TimerEventType.EXIT;
    for (TimerEventHandler to : new TimerEventHandler[] {log, stats, many,
        trace}) {
      to.notify(new TimerEvent(a, in, 1000000L));
      to.notify(new TimerEvent(b, in, 3000000L));
      to.notify(new TimerEvent(b, out, 7000000L));
      to.notify(new TimerEvent(b, in, 8000000L));
      to.notify(new TimerEvent(b, out, 9000000L));
      to.notify(new TimerEvent(a, in, 9500000L));
      to.notify(new TimerEvent(a, out, 10000000L));
      to.notify(new TimerEvent(a, out, 19000000L));
    }
    java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
    log.display(new java.io.PrintStream(bytes, true), "HEAD");
    // The name of the class in the headline is that of the implementation.
    System.out.print(bytes.toString().replaceAll("EventHandlerImpl",
        "EventHandler"));
    for (StatsEventHandler s : Arrays.asList(stats, many)) {
      // The original's for several threads counts what is inside twice.
      for (Timer timer : s == stats ? Arrays.asList(a, b) : Arrays.asList(b)) {
        Statistics one = s.stats().get(timer);
        System.out.println(timer.name() + " " + one.count() + " " + one.min()
            + " " + one.max() + " " + one.average() + " "
            + (one.count() < 2 ? "" : one.standardDeviation()));
      }
    }
    StatisticsAccumulator sums = new StatisticsAccumulator("ns");
    for (double v : new double[] {2, 4, 9}) sums.sample(v);
    StatisticsAccumulator more = new StatisticsAccumulator("ns");
    for (double v : new double[] {1, 8}) more.sample(v);
    System.out.println(sums + " " + sums.unit());
    sums.augment(more);
    System.out.printf("%.6f %s %s %d%n", sums.getStats().standardDeviation(),
        sums.getStats().min(), sums.getStats().max(), sums.getStats().count());
    sums.clearState();
    System.out.println(sums.getStats().count());
    System.out.println(TimerFactoryBuilder.getTimerName("C", "m") + " "
        + TimerFactoryBuilder.contents().size());
    tf.removeTimerEventHandler(log);
    tf.removeController(c);
    TimerFactoryBuilder.destroy(tf);
    System.out.println(TimerFactoryBuilder.contents().size());

    System.out.println("-- timing");
    TimerManager<String> tm =
        new TimerManager<>(ObjectRegistrationManager.NONE, "mgr");
    tm.initialize("P");
    fails("second", () -> tm.initialize("Q"));
    TimerFactory made = tm.factory();
    made.makeTimer("Traced__read", "");
    made.makeTimer("Traced__middle", "");
    made.makeTimer("Traced__write", "");
    made.enable();
    TimerEventHandler lines = made.makeLogEventHandler("lines");
    tm.controller().register(lines);
    MethodMonitorRegistry.register(
        Read.class, MethodMonitorFactoryDefaults.makeTimingImpl(tm));
    MethodMonitorRegistry.register(
        Write.class, MethodMonitorFactoryDefaults.makeTimingImpl(tm));
    t.read(1, 1);
    t.write(null);
    System.out.println(tm.points() + " " + tm.getTimers(Traced.class).size()
        + made.name());
    for (TimerEvent e : (LogEventHandler) lines) {
      System.out.println(e.type() + " " + e.timer().name());
    }
  }
}
