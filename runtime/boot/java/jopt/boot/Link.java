// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot;

import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.Function;

/**
 * What probed classes refer to, and nothing else of this package: their bootstrap methods. It keeps
 * nothing and names no other class of the package, so that a copy can be in every class loader that
 * does not find the one of the boot loader; all copies ask the same {@code Hosts}.
 */
public final class Link {
  private static final Function<Object[], Object> HOSTS = find();

  private Link() {}

  @SuppressWarnings("unchecked")
  private static Function<Object[], Object> find() {
    try {
      return (Function<Object[], Object>) load().getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("jopt.boot.Hosts", e);
    }
  }

  private static Class<?> load() throws ClassNotFoundException {
    String name = "jopt.boot.Hosts";
    try {
      return Class.forName(name, true, null);
    } catch (ClassNotFoundException e) {
      return Class.forName(name, true, Link.class.getClassLoader());
    }
  }

  /**
   * A site of no parameters that yields the object of a probe for the host class.
   *
   * @param host the class that the site is in
   * @param name of the site; not looked at
   * @param type of the site; what it returns is the type of the object, if that is not Object
   * @param key the probe
   * @param stateType the class of the object
   * @return the site
   */
  public static CallSite state(
      MethodHandles.Lookup host, String name, MethodType type, String key, String stateType) {
    return (CallSite)
        HOSTS.apply(new Object[] {"state", host, type, stateType, name, null, key});
  }

  /**
   * The same without a site, for class files that can have none, and for classes that the JVM needs
   * to link one.
   *
   * @param host the class that asks
   * @param key the probe
   * @param stateType the class of the object
   * @return the object, or null while its constructor runs on this thread
   */
  public static Object state(Class<?> host, String key, String stateType) {
    return HOSTS.apply(new Object[] {host, key, stateType});
  }

  /**
   * Whether that yields an object.
   *
   * @param host the class that asks
   * @param key the probe
   * @param stateType the class of the object
   * @return false while its constructor runs on this thread, and if it cannot be had
   */
  public static boolean hasState(Class<?> host, String key, String stateType) {
    return state(host, key, stateType) != null;
  }

  /**
   * A site that calls the method of a fragment, once for the host class.
   *
   * @param host the class that the site is in
   * @param name of the method
   * @param type of the site
   * @param key the fragment
   * @param owner the class of the method
   * @param descriptor of the method
   * @return the site
   */
  public static CallSite once(
      MethodHandles.Lookup host,
      String name,
      MethodType type,
      String key,
      String owner,
      String descriptor) {
    return (CallSite)
        HOSTS.apply(new Object[] {"once", host, type, owner, name, descriptor, key});
  }

  /**
   * A site that calls the method of a probe.
   *
   * @param host the class that the site is in
   * @param name of the method
   * @param type of the site: Object for what the host does not see
   * @param owner the class of the method
   * @param descriptor of the method
   * @return the site
   */
  public static CallSite call(
      MethodHandles.Lookup host, String name, MethodType type, String owner, String descriptor) {
    return (CallSite)
        HOSTS.apply(new Object[] {"call", host, type, owner, name, descriptor, null});
  }

  /**
   * A site of no parameters that says whether there is a method of a probe to call.
   *
   * @param host the class that the site is in
   * @param name of the method
   * @param type of the site
   * @param owner the class of the method
   * @param descriptor of the method
   * @return the site
   */
  public static CallSite found(
      MethodHandles.Lookup host, String name, MethodType type, String owner, String descriptor) {
    return (CallSite)
        HOSTS.apply(new Object[] {"found", host, type, owner, name, descriptor, null});
  }

  /**
   * Does what a site does, for class files that can have none. The texts are constants of the class
   * file, or null.
   *
   * @param host the class that calls
   * @param what the method here that would make the site
   * @param name of the site
   * @param type of the site, a descriptor
   * @param owner as that has it, or the class of the object
   * @param descriptor as that has it
   * @param key as that has it
   * @param arguments of the call
   * @return what it returns, as an object
   */
  public static Object call(
      Class<?> host,
      String what,
      String name,
      String type,
      String owner,
      String descriptor,
      String key,
      Object[] arguments) {
    return HOSTS.apply(
        new Object[] {"bridge", host, what, name, type, owner, descriptor, key, arguments});
  }

  /**
   * A registry of the tracing facility may have changed monitors. Never throws.
   *
   * @param registry the registry
   * @param traced the class that it concerns, or null
   */
  public static void monitorsChanged(Class<?> registry, Class<?> traced) {
    HOSTS.apply(new Object[] {"monitors", registry, traced});
  }
}
