// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf;

import java.lang.annotation.Annotation;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Knows the traced classes and what is attached to which annotation, and keeps
 * the holders of the classes up to date.
 *
 * <p>What is registered at an annotation reaches the methods that carry this
 * annotation and those that carry one below it, however deep
 * ({@link jopt.tf.annotation.MethodMonitorGroup#value}). A method that several
 * factories reach gets a composition, in the order of registration. A method
 * that none reaches has no monitor at all.
 *
 * <p>All methods may be called by any thread at any time. When
 * {@link #register} or {@link #clear} returns, every call of a monitored method
 * that begins later sees the change, in classes that are just being loaded
 * too. No lock is held while factories run, and traced methods take none.
 */
public final class MethodMonitorRegistry {
  private MethodMonitorRegistry() {}

  /** Keys of the files that enhancers write, behind one of these. */
  private static final String[] PREFIXES = {
    "org.glassfish.tf.annotation", "com.sun.corba.tf.annotation"
  };

  private static volatile RegistryState state =
      new RegistryState(Boolean.getBoolean("jopt.tf.legacyGroups"));

  private static final Queue<WeakReference<Registration>> ALL =
      new ConcurrentLinkedQueue<>();

  private static final Set<String> FILED = new ConcurrentSkipListSet<>();

  private static final ClassValue<AtomicReference<Registration>> BY_CLASS =
      new ClassValue<AtomicReference<Registration>>() {
        @Override
        protected AtomicReference<Registration> computeValue(Class<?> cls) {
          return new AtomicReference<>();
        }
      };

  static RegistryState state() {
    return state;
  }

  /**
   * Registers a traced class: only its own code, which the enhancer wrote,
   * calls this. A class that is registered again replaces what was known of
   * it.
   *
   * @param cls the class
   * @param methodNames the names of its methods; the index of a name in this
   *     list is the identifier of the method in the code
   * @param annoMM the holders of its annotations
   */
  public static void registerClass(
      Class<?> cls,
      List<String> methodNames,
      Map<Class<? extends Annotation>, SynchronizedHolder<MethodMonitor>>
          annoMM) {
    Registration registration = new Registration(cls, methodNames, annoMM);
    Registration before = BY_CLASS.get(cls).getAndSet(registration);
    if (before != null) {
      before.self.clear();
    }
    ALL.add(registration.self);
    try {
      refresh(registration);
    } catch (RuntimeException | Error thrown) {
      // A static initialiser is running, which a monitor must not break.
      report(cls, thrown);
    }
  }

  /**
   * Registers a traced class by its annotations: the TF annotations that the
   * class itself carries, sorted by name, have the static fields
   * {@code __$mm$__0}, {@code __$mm$__1} and so on; the identifiers of its
   * methods are the indices in the sorted list of their tracing names, each
   * once. Only the class's own code calls this. What fails is reported to
   * {@link System#err}, and the class then runs unmonitored.
   *
   * @param cls the class
   * @throws IllegalArgumentException if the class carries no TF annotation
   */
  public static void registerClass(Class<?> cls) {
    List<Class<? extends Annotation>> annotations = Names.annotations(cls);
    if (annotations.isEmpty()) {
      throw new IllegalArgumentException(
          "Class " + cls + " is not traceable");
    }
    Map<Class<? extends Annotation>, SynchronizedHolder<MethodMonitor>>
        holders = new LinkedHashMap<>();
    for (Class<? extends Annotation> annotation : annotations) {
      SynchronizedHolder<MethodMonitor> holder = new SynchronizedHolder<>();
      try {
        Field field = cls.getDeclaredField("__$mm$__" + holders.size());
        field.setAccessible(true);
        field.set(null, holder);
      } catch (ReflectiveOperationException | RuntimeException thrown) {
        report(cls, thrown);
      }
      holders.put(annotation, holder);
    }
    List<String> names;
    try {
      names = Names.methods(cls, annotations);
    } catch (LinkageError thrown) {
      // A signature names a class that is not there: holders stay empty.
      report(cls, thrown);
      return;
    }
    registerClass(cls, names, holders);
  }

  private static void report(Class<?> cls, Throwable thrown) {
    System.err.println(
        "MethodMonitorRegistry.registerClass: "
            + cls.getName()
            + ": "
            + thrown);
  }

  private static void refresh(Registration registration) {
    Throwable first = null;
    for (Registration.Slot slot : registration.slots.values()) {
      try {
        slot.refresh();
      } catch (RuntimeException | Error thrown) {
        first = first == null ? thrown : first;
      }
    }
    rethrow(first);
  }

  /** All classes, though factories fail; then the first failure is thrown. */
  private static void refreshAll() {
    Throwable first = null;
    Iterator<WeakReference<Registration>> it = ALL.iterator();
    while (it.hasNext()) {
      Registration registration = it.next().get();
      if (registration == null) {
        it.remove();
        continue;
      }
      try {
        refresh(registration);
      } catch (RuntimeException | Error thrown) {
        first = first == null ? thrown : first;
      }
    }
    rethrow(first);
  }

  private static void rethrow(Throwable thrown) {
    if (thrown instanceof Error) {
      throw (Error) thrown;
    }
    if (thrown != null) {
      throw (RuntimeException) thrown;
    }
  }

  private static Registration registration(Class<?> cls) {
    Registration found = BY_CLASS.get(cls).get();
    if (found == null) {
      throw new IllegalArgumentException(
          "Class " + cls + " is not a traced class");
    }
    return found;
  }

  /**
   * The names of a class's methods, by identifier.
   *
   * @param cls a traced class
   * @return the names, which cannot be changed
   * @throws IllegalArgumentException if the class is not registered
   */
  public static List<String> getMethodNames(Class<?> cls) {
    return registration(cls).names;
  }

  /**
   * The name of a method.
   *
   * @param cls a traced class
   * @param identifier the identifier
   * @return the name
   * @throws IllegalArgumentException if the class is not registered, or has no
   *     such identifier
   */
  public static String getMethodName(Class<?> cls, int identifier) {
    List<String> names = registration(cls).names;
    if (identifier < 0 || identifier >= names.size()) {
      throw new IllegalArgumentException(
          "identifier " + identifier + " is out of range for " + cls);
    }
    return names.get(identifier);
  }

  /**
   * The identifier of a name.
   *
   * @param cls a traced class
   * @param name the name of a method, for tracing
   * @return the identifier, -1 if there is none
   * @throws IllegalArgumentException if the class is not registered
   */
  public static int getMethodIdentifier(Class<?> cls, String name) {
    return registration(cls).identifier(name);
  }

  /**
   * What the methods of a class mean to the timers, by identifier.
   *
   * @param cls a traced class
   * @return the types, which cannot be changed
   * @throws IllegalArgumentException if the class is not registered
   */
  public static List<TimingPointType> getTimerTypes(Class<?> cls) {
    return registration(cls).timerTypes();
  }

  /**
   * The names of the timing points of a class, by identifier: that of the
   * method, or for an info method with a timing type the one it gives.
   *
   * @param cls a traced class
   * @return the names, which cannot be changed
   * @throws IllegalArgumentException if the class is not registered
   */
  public static List<String> getTimerNames(Class<?> cls) {
    return registration(cls).timerNames();
  }

  /**
   * Attaches a factory to an annotation, in place of the one that was. If
   * factories fail, all other classes are brought up to date and the first
   * failure is thrown.
   *
   * @param annot a TF annotation
   * @param mmf the factory; null is the same as {@link #clear}
   * @throws IllegalArgumentException if {@code annot} is no TF annotation
   */
  public static void register(
      Class<? extends Annotation> annot, MethodMonitorFactory mmf) {
    Groups.check(annot);
    Set<Class<? extends Annotation>> closure = Groups.closure(annot);
    synchronized (MethodMonitorRegistry.class) {
      state = state.with(annot, mmf, closure);
    }
    refreshAll();
  }

  /**
   * Takes the factory of an annotation away, if there is one.
   *
   * @param annot a TF annotation
   * @throws IllegalArgumentException if {@code annot} is no TF annotation
   */
  public static void clear(Class<? extends Annotation> annot) {
    register(annot, null);
  }

  /**
   * The factory that is registered at an annotation itself.
   *
   * @param annot a TF annotation
   * @return the factory, null if there is none
   * @throws IllegalArgumentException if {@code annot} is no TF annotation
   */
  public static MethodMonitorFactory registeredFactory(
      Class<? extends Annotation> annot) {
    Groups.check(annot);
    return state.factory(annot);
  }

  /**
   * The monitor in use for an annotation of a class.
   *
   * @param cls a traced class
   * @param annot a TF annotation that the class carries
   * @return the monitor, null if there is none
   * @throws IllegalArgumentException if the class is not registered or does not
   *     carry the annotation
   */
  public static MethodMonitor getMethodMonitorForClass(
      Class<?> cls, Class<? extends Annotation> annot) {
    Registration.Slot slot = registration(cls).slots.get(annot);
    if (slot == null) {
      throw new IllegalArgumentException(
          "Annotation "
              + annot
              + " is not a tracing annotation defined on class "
              + cls);
    }
    return slot.monitor();
  }

  /**
   * Chooses the rules of groups. The old rules, those of pfl, reach upwards:
   * what is registered at an annotation reaches the methods that carry this
   * annotation or a group <em>above</em> it; and a method whose own annotation
   * is cleared keeps a monitor that does nothing. Unlike there the result
   * never depends on the order of calls. The system property
   * {@code jopt.tf.legacyGroups} chooses them from the start.
   *
   * @param legacy true for the old rules
   */
  public static void setLegacyGroups(boolean legacy) {
    synchronized (MethodMonitorRegistry.class) {
      if (state.legacy == legacy) {
        return;
      }
      state = state.withLegacy(legacy);
    }
    refreshAll();
  }

  /**
   * Whether the old rules of groups hold.
   *
   * @return true if they do
   */
  public static boolean isLegacyGroups() {
    return state.legacy;
  }

  /**
   * Reads a list of TF annotations that an enhancer wrote, by the loader of
   * the calling thread's context.
   *
   * @param bundle the name of a resource bundle, that is of the file without
   *     {@code .properties}
   * @throws java.util.MissingResourceException if there is none of that name
   * @throws IllegalArgumentException if it is no such list
   */
  public static void registerAnnotationFile(String bundle) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    registerAnnotationFile(
        bundle, loader == null ? ClassLoader.getSystemClassLoader() : loader);
  }

  /**
   * Reads a list of TF annotations that an enhancer wrote.
   *
   * @param bundle the name of a resource bundle, that is of the file without
   *     {@code .properties}
   * @param loader where it is looked for
   * @throws java.util.MissingResourceException if there is none of that name
   * @throws IllegalArgumentException if it is no such list
   */
  public static void registerAnnotationFile(String bundle, ClassLoader loader) {
    ResourceBundle file =
        ResourceBundle.getBundle(bundle, Locale.getDefault(), loader);
    for (String prefix : PREFIXES) {
      if (!file.containsKey(prefix + "s.size")) {
        continue;
      }
      Set<String> names = new TreeSet<>();
      int size;
      try {
        size = Integer.parseInt(file.getString(prefix + "s.size").trim());
      } catch (NumberFormatException bad) {
        throw new IllegalArgumentException(
            bundle + ": " + prefix + "s.size is not a number", bad);
      }
      for (int i = 1; i <= size; i++) {
        String key = prefix + "." + i;
        if (!file.containsKey(key)) {
          throw new IllegalArgumentException(bundle + ": no " + key);
        }
        names.add(file.getString(key).trim());
      }
      FILED.addAll(names);
      return;
    }
    throw new IllegalArgumentException(
        bundle
            + ": neither "
            + String.join("s.size nor ", PREFIXES)
            + "s.size");
  }

  /**
   * The names of the annotations that {@link #registerAnnotationFile} read.
   *
   * @return the names, sorted; a copy
   */
  public static Set<String> getMMAnnotations() {
    return new TreeSet<>(FILED);
  }
}
