package jopt.boot;

import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The classes of probes that came while the program ran. Each stands in a loader of its own below
 * the highest loader that sees all that it refers to as its host does: one copy for each such
 * loader, unloaded with it. When the set is closed nothing refers to the copies any more.
 *
 * <p>A copy is kept alive by a class of the loader it stands below, never the other way round. There
 * is no lock: sites come on any thread, in any class.
 */
final class ProbeSet {
  /** A class of the set. */
  static final class Part {
    final String name;
    final byte[] data;

    /** What it, and what it refers to of the set, refer to and the boot loader lacks. */
    final String[] needs;

    Part(String name, byte[] data, String[] needs) {
      this.name = name;
      this.data = data;
      this.needs = needs;
    }
  }

  /** Parts the name of a class that a program registered from the number of its registration. */
  private static final char NUMBER = '~';

  /**
   * Names of sites that may be called once more although their set is closed, each with a weak
   * reference to the set, or to the class that a program registered: of those that ask one has said
   * just before that there is something to call. Only so many, of which the oldest is overwritten.
   */
  private static final Object[][] LATE = new Object[4096][];

  private static int nextLate;

  /** By the internal name of a class. */
  private static final Map<String, ProbeSet> SETS = new ConcurrentHashMap<>();

  /** Internal names of classes of sets that are closed. */
  private static final Set<String> CLOSED = ConcurrentHashMap.newKeySet();

  private final Map<String, Part> parts = new HashMap<>();

  /** In place of all sites: the set is closed. */
  private static final Chain.Node<WeakReference<Site>> CLOSED_SITES = new Chain.Node<>(null, null);

  private final Chain<WeakReference<Site>> sites = new Chain<>();

  /** By the loader that it stands below, and no name. */
  private final Homes copies = new Homes();

  /** Where classes stand for hosts of a loader, by their names. */
  private final Homes known = new Homes();

  /** Those below loaders that live as long as the JVM. */
  private final Chain<ProbeLoader> lasting = new Chain<>();

  /** That a program registered: hosts call this very class; null: it is not of a program. */
  private final Class<?> given;

  private ProbeSet(Class<?> given) {
    this.given = given;
  }

  // Called by the agent.

  /**
   * Makes a set: from now on hosts find its classes.
   *
   * @param names of the classes, as Class.getName has them
   * @param data the class files
   * @param needs for each, names of what the boot loader does not have
   */
  static Object open(String[] names, byte[][] data, String[][] needs) {
    ProbeSet set = new ProbeSet(null);
    for (int i = 0; i < names.length; i++)
      set.parts.put(names[i], new Part(names[i], data[i], needs[i]));
    for (String name : names) {
      SETS.put(name.replace('.', '/'), set);
      CLOSED.remove(name.replace('.', '/'));
    }
    return set;
  }

  /**
   * Makes a set of a class that is there: hosts call it from now on by {@code name}, which no other
   * registration has.
   *
   * @param name an internal name, and a number
   * @param given the class
   */
  static Object register(String name, Class<?> given) {
    ProbeSet set = new ProbeSet(given);
    SETS.put(name, set);
    return set;
  }

  /**
   * Makes an object of a class below the loader of a class that a program registered.
   *
   * @param name of the class, as Class.getName has it
   * @param data the class file
   * @param token for its constructor
   */
  static Object adapter(Class<?> given, String name, byte[] data, int token)
      throws ReflectiveOperationException {
    final class Below extends ClassLoader {
      Below() {
        super(given.getClassLoader());
      }

      @Override
      protected Class<?> loadClass(String wanted, boolean resolve)
          throws ClassNotFoundException {
        // Its superclass, which not every loader asks the boot loader for.
        return wanted.startsWith("jopt.boot.")
            ? Class.forName(wanted, false, null)
            : super.loadClass(wanted, resolve);
      }

      Class<?> define() {
        return defineClass(name, data, 0, data.length);
      }
    }
    return new Below().define().getConstructor(int.class).newInstance(token);
  }

  /**
   * What keeps classes of the set from hosts of a loader.
   *
   * @param loading a class that it is just loading: it is not asked for that; or empty
   * @return the class and what it refers to, a pair after the other
   */
  String[] missing(ClassLoader host, String loading) {
    List<String> found = new ArrayList<>();
    ClassLoader system = ClassLoader.getSystemClassLoader();
    Map<String, Boolean> seen = new HashMap<>();
    seen.put(loading, true);
    for (Part part : parts.values()) {
      String lacks = lacking(host, part, seen);
      if (lacks != null && host != system && lacking(system, part, new HashMap<>()) == null)
        lacks = null;
      if (lacks == null) continue;
      found.add(part.name);
      found.add(lacks);
    }
    return found.toArray(new String[0]);
  }

  private static String lacking(ClassLoader loader, Part part, Map<String, Boolean> seen) {
    for (String name : part.needs) {
      Boolean sees = seen.get(name);
      if (sees == null) seen.put(name, sees = hasFile(loader, name) || load(loader, name) != null);
      if (!sees) return name;
    }
    return null;
  }

  /** Says so without loading it, which would be early for a host that is just being loaded. */
  private static boolean hasFile(ClassLoader loader, String name) {
    try {
      return loader != null && loader.getResource(name.replace('.', '/') + ".class") != null;
    } catch (RuntimeException | LinkageError e) {
      return false;
    }
  }

  /** Those that do something when they come, and see all that they refer to everywhere, come now. */
  void begin() {
    for (Part part : parts.values()) {
      if (part.needs.length > 0 || !asks(part, "jopt/probe/Life")) continue;
      try {
        Class.forName(part.name, true, load(part.name, Object.class).getClassLoader());
      } catch (ClassNotFoundException | LinkageError e) {
        // Whoever first calls it says so.
      }
    }
  }

  private static boolean asks(Part part, String name) {
    return new String(part.data, StandardCharsets.ISO_8859_1).contains(name);
  }

  /** All copies of all classes that are there now. */
  Class<?>[] classes() {
    List<Class<?>> found = new ArrayList<>();
    for (Chain.Node<ProbeLoader> l = copies.all(); l != null; l = l.next)
      for (Chain.Node<Class<?>> c = l.value.defined(); c != null; c = c.next) found.add(c.value);
    return found.toArray(new Class<?>[0]);
  }

  /**
   * Hosts find all of its classes but these from now on: those nobody calls any more, activations
   * that began with them neither.
   *
   * @param left names of classes, as Class.getName has them
   */
  void callAllBut(String[] left) {
    List<String> names = Arrays.asList(left);
    Set<String> leaving = new HashSet<>();
    for (String part : parts.keySet()) {
      String name = part.replace('.', '/');
      if (!names.contains(part)) {
        SETS.put(name, this);
        CLOSED.remove(name);
      } else if (SETS.get(name) == this) {
        leaving.add(name);
      }
    }
    // Classes were changed since, and have other sites.
    List<Site> all = dropDead();
    if (leaving.isEmpty()) return;
    Set<String> asked = new HashSet<>();
    for (Site s : all)
      if (s.asks() && leaving.contains(s.owner()) && asked.add(s.name())) addLate(s.name());
    for (String name : leaving) {
      CLOSED.add(name);
      SETS.remove(name, this);
    }
    // Sites that come from here on see that themselves.
    all = dropDead();
    all.removeIf(s -> !leaving.contains(s.owner()));
    closeSites(all, asked);
  }

  /** The sites that are there still; the others are forgotten. */
  private List<Site> dropDead() {
    while (true) {
      List<Site> all = new ArrayList<>();
      Chain.Node<WeakReference<Site>> alive = null, seen = sites.first();
      for (Chain.Node<WeakReference<Site>> n = seen; n != null; n = n.next) {
        Site s = n.value == null ? null : n.value.get();
        if (s == null) continue;
        all.add(s);
        alive = new Chain.Node<>(n.value, alive);
      }
      if (seen == CLOSED_SITES || sites.replace(seen, alive)) return all;
    }
  }

  /**
   * First those that ask whether there is one to call: where these have said so, a value that is
   * in use may be on its way through the others, which stay.
   */
  private static void closeSites(List<Site> all, Set<String> asked) {
    for (Site s : all) if (s.asks()) s.close();
    for (Site s : all) if (!asked.contains(s.name())) s.close();
  }

  /** Nobody calls its classes any more, activations that began with them neither. */
  void close() {
    List<Site> all = new ArrayList<>();
    Set<String> asked = new HashSet<>();
    Chain.Node<WeakReference<Site>> seen;
    do {
      all.clear();
      seen = sites.first();
      for (Chain.Node<WeakReference<Site>> n = seen; n != null; n = n.next) {
        Site s = n.value == null ? null : n.value.get();
        if (s == null) continue;
        all.add(s);
        // Before the set is closed: sites that find it so look there.
        if (s.asks() && asked.add(s.name())) addLate(s.name());
      }
    } while (!sites.replace(seen, CLOSED_SITES));
    dropLasting();
    for (String name : parts.keySet()) {
      // In this order: a site always finds one or the other.
      CLOSED.add(name.replace('.', '/'));
      SETS.remove(name.replace('.', '/'), this);
    }
    if (given != null) SETS.values().remove(this);
    closeSites(all, asked);
    for (Chain.Node<ProbeLoader> l = copies.all(); l != null; l = l.next) l.value.keptBy(null);
  }

  boolean isClosed() {
    return sites.first() == CLOSED_SITES;
  }

  private void dropLasting() {
    while (!lasting.replace(lasting.first(), null)) {}
  }

  private void addLate(String name) {
    Object[] late = {name, new WeakReference<Object>(given != null ? given : this)};
    synchronized (LATE) {
      LATE[nextLate++ & LATE.length - 1] = late;
    }
  }

  // Called by sites and copies.

  /** The set that has the class of that internal name; null if there is none. */
  static ProbeSet of(String internalName) {
    return SETS.get(internalName);
  }

  /** A set that is closed had the class of that internal name. */
  static boolean isClosed(String internalName) {
    // Of registered classes nothing is kept: their names do not come again. Others may be in a set
    // of later.
    return (CLOSED.contains(internalName) || internalName.indexOf(NUMBER) >= 0)
        && !SETS.containsKey(internalName);
  }

  /** What {@code site} calls although its set is closed is of that; null: it calls nothing. */
  static Object late(Site site) {
    int next;
    synchronized (LATE) {
      next = nextLate;
    }
    for (int i = 1; i <= LATE.length; i++) {
      Object[] late = LATE[next - i & LATE.length - 1];
      if (late == null) return null;
      if (late[0].equals(site.name())) return ((WeakReference<?>) late[1]).get();
    }
    return null;
  }

  /** The class of the same. */
  static Class<?> loadLate(Site site) throws ClassNotFoundException {
    Object of = late(site);
    return of instanceof ProbeSet
        ? ((ProbeSet) of).load(site.owner().replace('/', '.'), site.host)
        : (Class<?>) of;
  }

  /** The site calls classes of the set; false if nothing does so any more. */
  boolean add(Site site) {
    WeakReference<Site> added = new WeakReference<>(site);
    Chain.Node<WeakReference<Site>> seen;
    do {
      seen = sites.first();
      if (seen == CLOSED_SITES) return false;
    } while (!sites.replace(seen, new Chain.Node<>(added, seen)));
    return true;
  }

  /** The class of that name, or null. */
  Part part(String name) {
    return parts.get(name);
  }

  /** The class of that name as hosts of the class's loader have it. */
  Class<?> load(String name, Class<?> host) throws ClassNotFoundException {
    if (given != null) return given;
    Part part = part(name);
    if (part == null) throw new ClassNotFoundException(name);
    ClassLoader from = host.getClassLoader();
    ProbeLoader loader = known.find(from, name);
    if (loader == null) {
      PrivilegedAction<ProbeLoader> search = () -> find(part, host);
      loader = AccessController.doPrivileged(search);
      if (loader == null)
        throw new ClassNotFoundException(name + ", which needs " + String.join(", ", part.needs));
      loader = known.add(from, name, loader);
    }
    return loader.define(part);
  }

  /**
   * The copy with that class for one that is below {@code home}; null if it is that very one. Who
   * first runs into a class need not have the right to make a loader.
   */
  ProbeLoader loader(Part part, ClassLoader home) throws ClassNotFoundException {
    PrivilegedExceptionAction<ProbeLoader> search = () -> {
      Class<?>[] types = loadAll(home, part.needs);
      if (types == null) throw new ClassNotFoundException(part.name);
      ClassLoader own = highest(home, part.needs, types);
      return own == home ? null : copyBelow(own, types, null);
    };
    try {
      return AccessController.doPrivileged(search);
    } catch (PrivilegedActionException e) {
      throw (ClassNotFoundException) e.getException();
    }
  }

  private ProbeLoader find(Part part, Class<?> host) {
    ClassLoader from = host.getClassLoader();
    Class<?>[] types = loadAll(from, part.needs);
    if (types == null) {
      from = ClassLoader.getSystemClassLoader();
      types = loadAll(from, part.needs);
      if (types == null) return null;
    }
    return copyBelow(highest(from, part.needs, types), types, host);
  }

  /** The highest loader above that sees the same; null: the boot loader. */
  private static ClassLoader highest(ClassLoader from, String[] needs, Class<?>[] types) {
    if (needs.length == 0) return null;
    ClassLoader found = from;
    for (ClassLoader l = from.getParent(); l != null; l = l.getParent()) {
      for (int i = 0; i < needs.length; i++) if (load(l, needs[i]) != types[i]) return found;
      found = l;
    }
    return found;
  }

  private static Class<?>[] loadAll(ClassLoader loader, String[] names) {
    Class<?>[] found = new Class<?>[names.length];
    for (int i = 0; i < names.length; i++)
      if ((found[i] = load(loader, names[i])) == null) return null;
    return found;
  }

  /** The class as that loader sees it; null if it does not. */
  static Class<?> load(ClassLoader loader, String name) {
    for (boolean again = true; ; again = false)
      try {
        return Class.forName(name, false, loader);
      } catch (ClassNotFoundException e) {
        return null;
      } catch (LinkageError e) {
        // Of two threads at once, a loader that has no lock may refuse one: then it is there now.
        if (!again) return null;
      }
  }

  /**
   * The copy below {@code home}, kept alive by one of {@code types} that is of that loader, else by
   * {@code host}.
   */
  private ProbeLoader copyBelow(ClassLoader home, Class<?>[] types, Class<?> host) {
    ProbeLoader made = new ProbeLoader(this, home);
    ProbeLoader there = copies.add(home, "", made);
    if (there != made) return there;
    if (isLasting(home)) {
      lasting.add(made);
      if (isClosed()) dropLasting();
      return made;
    }
    Class<?> keeper = host;
    for (Class<?> t : types) if (t.getClassLoader() == home) keeper = t;
    if (keeper != null) made.keptBy(Store.of(keeper));
    if (isClosed()) made.keptBy(null);
    return made;
  }

  private static boolean isLasting(ClassLoader loader) {
    for (ClassLoader l = ClassLoader.getSystemClassLoader(); l != null; l = l.getParent())
      if (l == loader) return true;
    return loader == null;
  }
}
