package jopt.boot;

import java.security.AllPermission;
import java.security.PermissionCollection;
import java.security.ProtectionDomain;

/** A copy of classes of a {@link ProbeSet}, below the loader that sees all that they refer to. */
final class ProbeLoader extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  /** All rights, as probes on the boot and the system loader have them. */
  private static final ProtectionDomain TRUSTED = new ProtectionDomain(null, all());

  private static PermissionCollection all() {
    PermissionCollection all = new AllPermission().newPermissionCollection();
    all.add(new AllPermission());
    return all;
  }

  private final ProbeSet set;
  private final ClassLoader home;
  private final Chain<Class<?>> defined = new Chain<>();
  private Store keeper;

  /** The next one that its store keeps. */
  ProbeLoader nextKept;

  /** {@code home}: null for the boot loader. */
  ProbeLoader(ProbeSet set, ClassLoader home) {
    super(home);
    this.set = set;
    this.home = home;
  }

  /**
   * Holds no lock while it asks others: a loader that is asked may be just loading, on another
   * thread, what asks for the same class here.
   */
  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    ProbeSet.Part part = set.part(name);
    if (part == null) return findOutside(name);
    ProbeLoader loader = set.loader(part, home);
    return loader == null ? define(part) : loader.define(part);
  }

  /** Probe classes call classes of the boot loader, which some loaders do not ask. */
  private Class<?> findOutside(String name) throws ClassNotFoundException {
    if (name.startsWith("jopt.probes.") || name.startsWith("jopt.probe.") || name.startsWith("com.yourkit."))
      try {
        return Class.forName(name, false, null);
      } catch (ClassNotFoundException e) {
        // The program's own.
      }
    return Class.forName(name, false, home);
  }

  /** The class, which belongs here. */
  Class<?> define(ProbeSet.Part part) {
    Class<?> c = findLoadedClass(part.name);
    try {
      if (c == null) c = defineClass(part.name, part.data, 0, part.data.length, TRUSTED);
    } catch (LinkageError e) {
      // Another thread was first, or the class cannot be defined.
      c = findLoadedClass(part.name);
      if (c == null) throw e;
    }
    // Register the class before anybody can initialise it, so that it gets new parameters.
    Chain.Node<Class<?>> seen;
    do {
      seen = defined.first();
      for (Chain.Node<Class<?>> n = seen; n != null; n = n.next) if (n.value == c) return c;
    } while (!defined.replace(seen, new Chain.Node<>(c, seen)));
    return c;
  }

  /** The store keeps this alive from now on, and no other does; null: none. */
  synchronized void keptBy(Store store) {
    if (keeper != null) keeper.drop(this);
    keeper = store;
    if (store != null) store.keep(this);
  }

  /** The classes that are here. */
  Chain.Node<Class<?>> defined() {
    return defined.first();
  }
}
