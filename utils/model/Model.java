//===- utils/model/Model.java - probed programs against the model -------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package model;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.Opcodes;

/**
 * Makes the programs and the probes of a model run, and compares what the
 * probed programs do with what the model says. See the script `run`.
 */
public final class Model {
  private static final int FUEL = 30;

  private long seed = 1;
  private int from;
  private int count = 20000;
  private int faultRate = 20;
  private int shown = 3;
  private final Set<String> left = new HashSet<>();
  private boolean isolated;
  private boolean progress;
  /** Probe classes, and programs for them. */
  private boolean classes;
  private int newest = Opcodes.V17;
  private Set<String> kinds = new HashSet<>();
  private Set<String> without = new HashSet<>();
  private final List<String> files = new ArrayList<>();

  private Model(String[] args) throws IOException {
    for (String arg : args) {
      int eq = arg.indexOf('=');
      String value = arg.substring(eq + 1);
      switch (eq < 0 ? arg : arg.substring(0, eq)) {
      case "--seed" -> seed = Long.parseLong(value);
      case "--from" -> from = Integer.parseInt(value);
      case "--count" -> count = Integer.parseInt(value);
      case "--fault-rate" -> faultRate = Integer.parseInt(value);
      case "--show" -> shown = Integer.parseInt(value);
      case "--kinds" -> kinds = new HashSet<>(Arrays.asList(value.split(",")));
      case "--without" ->
        without = new HashSet<>(Arrays.asList(value.split(",")));
      case "--left" -> left.addAll(Files.readAllLines(Path.of(value)));
      case "--isolated" -> isolated = true;
      case "--progress" -> progress = true;
      case "--classes" -> classes = true;
      case "--newest" -> newest = Integer.parseInt(value);
      default -> files.add(arg);
      }
    }
  }

  public static void main(String[] args) throws Exception {
    Model model = new Model(Arrays.copyOfRange(args, 1, args.length));
    if (args[0].equals("make"))
      model.make();
    else
      System.exit(model.check() ? 0 : 1);
  }

  // -- Making ---------------------------------------------------------------

  /**
   * JAR PROBES: writes groups until there are enough methods, and the probes,
   * as XML or as an archive.
   */
  private void make() throws IOException {
    int methods = 0;
    int groups = 0;
    Map<String, byte[]> programs = new LinkedHashMap<>();
    Map<String, byte[]> probes = new LinkedHashMap<>();
    for (int g = from; methods < count; g++) {
      Group group = new Group(seed, g, classes, newest);
      programs.putAll(group.files());
      if (classes)
        probes.putAll(new ProbeClassMaker(seed, g, group).files());
      methods += group.methodCount();
      groups++;
    }
    write(files.get(0), programs);
    if (classes)
      write(files.get(1), probes);
    else
      Files.writeString(Path.of(files.get(1)),
                        new Probes(seed, kinds, without).xml());
    System.out.println(methods + " methods in " + groups + " programs");
  }

  private static void write(String file, Map<String, byte[]> classes)
      throws IOException {
    try (ZipOutputStream jar =
             new ZipOutputStream(Files.newOutputStream(Path.of(file)))) {
      jar.setLevel(1);
      for (Map.Entry<String, byte[]> c : classes.entrySet()) {
        jar.putNextEntry(new ZipEntry(c.getKey() + ".class"));
        jar.write(c.getValue());
      }
    }
  }

  // -- Running --------------------------------------------------------------

  /** Defines the classes of a group itself and asks its parent for others. */
  private static final class Loader extends ClassLoader {
    private final Map<String, byte[]> classes;

    Loader(ClassLoader parent, Map<String, byte[]> classes) {
      super(parent);
      this.classes = classes;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      byte[] file = classes.get(name.replace('.', '/'));
      if (file == null)
        throw new ClassNotFoundException(name);
      return defineClass(name, file, 0, file.length);
    }
  }

  /**
   * One drive: what the program printed, the events, and whether a class of the
   * program is lost, as its initialiser failed.
   */
  private record Drive(List<String> output, List<String> events,
                       boolean lost) {}

  /** What leaves a drive, as a line of its output. */
  private static String escape(String type) { return "escapes " + type; }

  /** Null where the drive does not end within the limits. */
  private static Drive end(Recorder recorder, boolean lost) {
    return recorder.full()
        ? null
        : new Drive(Rt.output, new ArrayList<>(recorder.events), lost);
  }

  private List<Drive> model(Map<String, byte[]> originals, String main,
                                   List<String> names, ProbeSet probes,
                                   Recorder recorder) {
    Interpreter interpreter =
        new Interpreter(originals.values(), probes, recorder, left);
    List<Drive> drives = new ArrayList<>();
    for (int i = 0; i <= names.size(); i++) {
      Rt.reset(FUEL);
      recorder.begin(i);
      try {
        // The first drive initialises Main.
        if (i == 0) {
          interpreter.initialise(main);
        } else {
          interpreter.initialise(main);
          Interpreter.Cls c = interpreter.classes.get(main);
          probes
              .activate(interpreter, c, c.find(names.get(i - 1), "()V"),
                        new Object[0])
              .run();
        }
      } catch (Interpreter.Thrown t) {
        Rt.output.add(escape(t.object.type.replace('/', '.')));
      }
      drives.add(end(recorder, interpreter.lost));
    }
    interpreter.count(coverage);
    return drives;
  }

  private static List<Drive> real(Loader loader, String main,
                                  List<String> names, Recorder recorder)
      throws ReflectiveOperationException {
    List<Drive> drives = new ArrayList<>();
    String type = main.replace('/', '.');
    for (int i = 0; i <= names.size(); i++) {
      Rt.reset(FUEL);
      recorder.begin(i);
      try {
        Class<?> c = Class.forName(type, true, loader);
        if (i > 0)
          c.getMethod(names.get(i - 1)).invoke(null);
      } catch (InvocationTargetException e) {
        rethrowLinkage(e.getCause());
        Rt.output.add(escape(e.getCause().getClass().getName()));
      } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
        Rt.output.add(escape(e.getClass().getName()));
      } catch (LinkageError e) {
        throw e;
      } catch (RuntimeException | Error e) {
        Rt.output.add(escape(e.getClass().getName()));
      }
      drives.add(end(recorder, false));
    }
    return drives;
  }

  /** A class that does not verify is no exception of the program. */
  private static void rethrowLinkage(Throwable t) {
    if (t instanceof VerifyError || t instanceof ClassFormatError ||
        t instanceof IncompatibleClassChangeError)
      throw (Error)t;
  }

  // -- Checking -------------------------------------------------------------

  private final Differences differences = new Differences();
  private long events;
  private long faults;
  private int drivesRun;
  private int drivesCut;
  private final Interpreter.Coverage coverage = new Interpreter.Coverage();

  private static Map<String, Map<String, byte[]>> read(String jar,
                                                       Map<String, byte[]> rest)
      throws IOException {
    Map<String, Map<String, byte[]>> groups = new HashMap<>();
    try (ZipFile zip = new ZipFile(jar)) {
      var entries = zip.entries();
      while (entries.hasMoreElements()) {
        ZipEntry e = entries.nextElement();
        if (!e.getName().endsWith(".class"))
          continue;
        String name = e.getName().substring(0, e.getName().length() - 6);
        byte[] bytes = zip.getInputStream(e).readAllBytes();
        int slash = name.indexOf('/');
        String folder = slash < 0 ? "" : name.substring(0, slash);
        if (folder.matches("g\\d+"))
          groups.computeIfAbsent(folder, k -> new HashMap<>())
              .put(name, bytes);
        else
          rest.put(name, bytes);
      }
    }
    return groups;
  }

  private boolean check() throws Exception {
    Map<String, byte[]> bundle = new HashMap<>();
    Map<String, Map<String, byte[]>> originals =
        read(files.get(0), new HashMap<>());
    Map<String, Map<String, byte[]>> probed = read(files.get(1), bundle);
    Map<String, byte[]> probes = new HashMap<>();
    if (classes)
      read(files.get(2), probes);
    Loader bundleLoader = new Loader(Model.class.getClassLoader(),
                                     classes ? Map.of() : bundle);
    Probes fragments = new Probes(seed, kinds, without);
    Field sink = classes ? null : sink(bundle, bundleLoader);
    List<String> names = new ArrayList<>(originals.keySet());
    names.sort((a, b) -> Integer.parseInt(a.substring(1)) -
                             Integer.parseInt(b.substring(1)));
    for (String name : names) {
      if (progress)
        System.out.println(name);
      // Probe classes name those of the program, so one loader has them all.
      String own = name.replace('g', 'q') + "/";
      Map<String, byte[]> woven = new HashMap<>(probed.get(name));
      bundle.forEach((c, file) -> {
        if (c.startsWith(own))
          woven.put(c, file);
      });
      Map<String, byte[]> rules = new HashMap<>(probes);
      rules.keySet().removeIf(c -> !c.startsWith(own));
      checkGroup(name, originals.get(name), woven,
                 classes ? new OfClasses(new ProbeClasses(rules))
                         : new OfFragments(fragments, sink),
                 bundleLoader);
    }
    System.out.println(names.size() + " programs, " + drivesRun + " drives (" +
                       drivesCut + " cut off), " + events + " events, " +
                       faults + " of them throw, " + left.size() +
                       " methods too large, " + differences.count() +
                       " differences");
    System.out.println("in the runs of the model " + coverage);
    differences.print(shown);
    return differences.count() == 0;
  }

  private static Field sink(Map<String, byte[]> bundle, Loader loader)
      throws ReflectiveOperationException {
    for (String name : bundle.keySet())
      for (Field f :
           loader.loadClass(name.replace('/', '.')).getDeclaredFields())
        if (f.getName().equals("sink")) {
          f.setAccessible(true);
          return f;
        }
    throw new IllegalStateException("no probe classes in the probed programs");
  }

  /** Probes as the model and as the probed program know them. */
  private interface Sort {
    ProbeSet probes();

    /** @param isolated what probes throw shall have no effect */
    Recorder recorder(long faultSeed, int faultRate, boolean isolated);

    /** Has the probed program tell the recorder. */
    void listen(Recorder recorder) throws ReflectiveOperationException;
  }

  private record OfFragments(Probes probes, Field sink) implements Sort {
    @Override
    public Recorder recorder(long faultSeed, int faultRate, boolean isolated) {
      return new FragmentRecorder(probes, faultSeed, faultRate, isolated);
    }

    @Override
    public void listen(Recorder recorder) throws ReflectiveOperationException {
      Consumer<Object[]> on = event -> tell(recorder, event);
      sink.set(null, on);
    }
  }

  private record OfClasses(ProbeClasses probes) implements Sort {
    @Override
    public Recorder recorder(long faultSeed, int faultRate, boolean isolated) {
      return new CallbackRecorder(probes, faultSeed, faultRate);
    }

    @Override
    public void listen(Recorder recorder) {
      Rt.callbacks = event -> tell(recorder, event);
    }
  }

  private static boolean refused(List<String> want, List<String> have) {
    for (int i = 0; i < have.size(); i++)
      if (i >= want.size() || !want.get(i).equals(have.get(i)))
        return have.get(i).contains("java.lang.NoClassDefFoundError");
    return false;
  }

  private static String driveName(String group, List<String> names, int i) {
    return group + "/Main." + (i == 0 ? "<clinit>" : names.get(i - 1));
  }

  private static List<String> driverNames(Map<String, byte[]> originals,
                                          String main) {
    Interpreter reader =
        new Interpreter(List.of(originals.get(main)), null, null, Set.of());
    return reader.classes.get(main)
        .node.methods.stream()
        .map(m -> m.name)
        .filter(n -> n.matches("d\\d+"))
        .toList();
  }

  private void checkGroup(String group, Map<String, byte[]> originals,
                          Map<String, byte[]> probed, Sort sort,
                          ClassLoader bundle) throws Exception {
    String main = group + "/Main";
    List<String> names = driverNames(originals, main);
    Recorder none = new FragmentRecorder(null, 0, 0, false);
    List<Drive> expected =
        model(originals, main, names, new ProbeSet(), none);
    List<Drive> plain;
    try {
      plain = real(new Loader(Model.class.getClassLoader(), originals), main,
                   names, none);
    } catch (LinkageError e) {
      throw new IllegalStateException(
          "the generator made what does not verify: " + e);
    }
    for (int i = 0; i < plain.size(); i++)
      if (!plain.get(i).output.equals(expected.get(i).output))
        differences.add(driveName(group, names, i), "outputs of the original",
                        expected.get(i).output, plain.get(i).output, originals,
                        originals);
    compare(group, names, "", originals, probed, sort, bundle, 0, 0);
    if (faultRate != 0)
      compare(group, names,
              classes ? "throwing callbacks, " : "throwing fragments, ",
              originals, probed, sort, bundle, seed * 31 + group.hashCode(),
              faultRate);
  }

  private List<Drive> probedRun(Map<String, byte[]> probed, String main,
                                List<String> names, Sort sort,
                                ClassLoader bundle, Recorder recorder)
      throws ReflectiveOperationException {
    sort.listen(recorder);
    try {
      return real(new Loader(bundle, probed), main, names, recorder);
    } catch (LinkageError e) {
      differences.add(main, "it does not run: " + e, List.of(), List.of(),
                      probed, probed);
      return null;
    }
  }

  private static Object tell(Recorder recorder, Object[] event) {
    try {
      return recorder.record(event);
    } catch (Recorder.Fault f) {
      switch (f.type) {
      case "java/lang/ArithmeticException":
        throw new ArithmeticException();
      case "java/lang/AssertionError":
        throw new AssertionError();
      default:
        throw new IllegalStateException();
      }
    }
  }

  private void compare(String group, List<String> names, String how,
                       Map<String, byte[]> originals,
                       Map<String, byte[]> probed, Sort sort,
                       ClassLoader bundle, long faultSeed, int rate)
      throws ReflectiveOperationException {
    String main = group + "/Main";
    List<Drive> expected =
        model(originals, main, names, sort.probes(),
              sort.recorder(faultSeed, rate, isolated));
    List<Drive> got = probedRun(probed, main, names, sort, bundle,
                                sort.recorder(faultSeed, rate, false));
    if (got == null)
      return;
    for (int i = 0; i < expected.size(); i++) {
      Drive want = expected.get(i);
      Drive have = got.get(i);
      drivesRun++;
      if (want == null || have == null) {
        // Later output may differ as well.
        drivesCut++;
        return;
      }
      events += want.events.size();
      faults +=
          want.events.stream().filter(e -> e.contains(" THROWS ")).count();
      boolean same = want.events.equals(have.events);
      // HotSpot refuses the first call that it links of a constructor of a lost
      // class, where the JVM's specification has only `new` refused.
      if (!same && want.lost && refused(want.events, have.events)) {
        drivesCut++;
        return;
      }
      if (!same)
        differences.add(driveName(group, names, i), how + "events",
                        want.events, have.events, originals, probed);
      else if (!want.output.equals(have.output))
        differences.add(driveName(group, names, i), how + "outputs",
                        want.output, have.output, originals, probed);
      else
        continue;
      // One is enough for a program: its state differs from here on.
      return;
    }
  }
}
