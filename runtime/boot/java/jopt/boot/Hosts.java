// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Answers the requests of {@link Link}. It is on the boot loader, if that has it. */
public final class Hosts implements Function<Object[], Object> {
  private static final ThreadLocal<Boolean> SEARCHING = new ThreadLocal<>();
  private static volatile Function<Object[], Object> tracing, coverage;
  private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

  // All of one loader: the boot loader, which others ask first, may get the agent's copies later.
  static final Class<?>[] OWN = {
    Bridge.class, Cell.class, Chain.class, Chain.Node.class, Homes.class, Homes.Home.class,
    Monitors.class, OnceSite.class, Places.class, ProbeLoader.class, ProbeSet.class, ProbeSet.Part.class,
    ProbeSite.class, Request.class, Site.class, StateSite.class, Store.class, Store.Stores.class,
    Switches.class, Switches.Mode.class
  };

  /** For {@link Link}. */
  public Hosts() {}

  /**
   * Does what {@link Link} asks for.
   *
   * @param a one of the constants of Link; the host; what that takes
   */
  @Override
  public Object apply(Object[] a) {
    Object what = a[0];
    // Comes first, and calls nothing: the host may be any class of the JDK.
    if (what == Link.STATE)
      return Store.of((Class<?>) a[1]).cell((String) a[2]).get((Class<?>) a[1], null);
    if (what == Link.TRACE_ENTRY || what == Link.TRACE_SITE || what == Link.TRACE_DECLARATION)
      return tracing((Class<?>) a[1]).apply(a);
    if (what == Link.COVERAGE) return coverage((Class<?>) a[1]).apply(a);
    if (what == Link.CAME_TO) return Places.with((Integer) a[2]);
    if (what == Link.CALL) return Hosts.<RuntimeException>call(a);
    if (what == Link.SITE)
      return site((Class<?>) a[1], (String) a[2], (String) a[3], (MethodType) a[4]);
    if (what == Link.MONITORS) {
      Monitors.changed((Class<?>) a[2], (Class<?>) a[3]);
      return null;
    }
    throw new LinkageError(
        "a jopt.boot.Link of another format than " + Link.FORMAT + ", which that of jopt.boot.Hosts is");
  }

  private static Function<Object[], Object> tracing(Class<?> host) {
    Function<Object[], Object> known = tracing;
    return known != null ? known : (tracing = recorder("jopt.boot.trace.Tracing", host));
  }

  private static Function<Object[], Object> coverage(Class<?> host) {
    Function<Object[], Object> known = coverage;
    return known != null ? known : (coverage = recorder("jopt.boot.coverage.Coverage", host));
  }

  /** What records; that of the boot loader, if there is one, or that which the first host sees. */
  @SuppressWarnings("unchecked")
  private static Function<Object[], Object> recorder(String name, Class<?> host) {
    ClassLoader own = Hosts.class.getClassLoader();
    ClassLoader other = host == null ? null : host.getClassLoader();
    try {
      for (ClassLoader loader : new ClassLoader[] {own, other, ClassLoader.getSystemClassLoader()})
        try {
          Class<?> c = Class.forName(name, true, loader);
          return (Function<Object[], Object>) c.getDeclaredConstructor().newInstance();
        } catch (ClassNotFoundException e) {
          // The next one.
        }
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(name, e);
    }
    throw new NoClassDefFoundError(name);
  }

  /** The site of a request, which is one object for each text. */
  static Site site(Class<?> host, String text, String name, MethodType type) {
    Request r = new Request(text);
    if (r.what.equals("state")) return new StateSite(type, host, text, r);
    if (r.what.equals("once")) return new OnceSite(type, host, text, r, name);
    return new ProbeSite(type, host, r, name);
  }

  /** Calls a bridge; throws what that does. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> Object call(Object[] a) throws T {
    try {
      return Store.of((Class<?>) a[1])
          .bridge((String) a[2], (String) a[3], (String) a[4])
          .call((Object[]) a[5]);
    } catch (Throwable e) {
      throw (T) e;
    }
  }

  /**
   * The class of that internal name: the copy for the host if it is of a {@link ProbeSet}; else as
   * the host sees it, else as the system loader does, else as the
   * context loader of the thread does. Null where a loader asks for it while it looks for one
   * itself, on this thread.
   */
  static Class<?> find(String internalName, Class<?> host) throws ClassNotFoundException {
    if (SEARCHING.get() != null) return null;
    SEARCHING.set(true);
    try {
      String name = internalName.replace('/', '.');
      ProbeSet set = ProbeSet.of(internalName);
      if (set != null) return set.load(name, host);
      ClassLoader own = host.getClassLoader();
      ClassLoader system = ClassLoader.getSystemClassLoader();
      ClassLoader context = Thread.currentThread().getContextClassLoader();
      for (ClassLoader loader : new ClassLoader[] {own, system}) {
        Class<?> c = ProbeSet.load(loader, name);
        if (c != null) return c;
      }
      return Class.forName(name, false, context);
    } finally {
      SEARCHING.remove();
    }
  }

  /** The method of a probe; null as {@link #find}. */
  static MethodHandle method(Class<?> host, String owner, String name, String descriptor)
      throws ReflectiveOperationException {
    Class<?> c = find(owner, host);
    return c == null ? null : method(c, name, descriptor);
  }

  /** The same of the class. */
  static MethodHandle method(Class<?> c, String name, String descriptor)
      throws ReflectiveOperationException {
    MethodType type = MethodType.fromMethodDescriptorString(descriptor, c.getClassLoader());
    try {
      return MethodHandles.publicLookup().findStatic(c, name, type);
    } catch (IllegalAccessException e) {
      // The package may be exported to this one alone.
      return MethodHandles.lookup().findStatic(c, name, type);
    }
  }

  /** Says it on standard error, if it was not said yet. */
  static void tell(String what, Object why) {
    if (SAID.add(what)) System.err.println("jopt: " + what + ": " + why);
  }
}
