// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.record;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import jopt.boot.Switches;

/**
 * Registers probe classes in the running JVM, and switches them. The agent does so where it is
 * there; what was woven off-line is switched without it. The agent binds the class that is on the
 * boot loader; copies of other loaders ask that one.
 */
public final class ProbeControl {
  // What the agent is asked for; modes are numbered from MODE on.
  private static final int REGISTER = 0, UNREGISTER = 1, MODE = 2;

  /** What of a mode's number means that callbacks are called: others are off. */
  private static final int ON = 0;

  /** In the class files of probes that jopt put into its output, and how they are called. */
  private static final String WOVEN = "jopt.Woven:";

  private static final String BY_SITES = WOVEN + "indy";

  private ProbeControl() {}

  /**
   * Puts probes in.
   *
   * @param names binary names of probe classes, or of classes that hold some
   */
  public static void register(String... names) {
    List<Class<?>> found = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    for (String name : names) {
      Class<?> c = find(name);
      if (c != null) found.add(c);
      else unknown.add(name);
    }
    if (!unknown.isEmpty()) {
      String[] all = unknown.toArray(new String[0]);
      if (!ask(REGISTER, all, new Class<?>[all.length], new byte[all.length][]))
        for (String name : all) say("registerProbes", name, "there is no such class");
    }
    if (!found.isEmpty()) register(found.toArray(new Class<?>[0]));
  }

  /**
   * Puts probes in.
   *
   * @param classes probe classes, or classes that hold some
   */
  public static void register(Class<?>... classes) {
    List<Class<?>> all = new ArrayList<>();
    for (Class<?> c : classes) addHeld(c, all);
    String[] names = new String[all.size()];
    byte[][] files = new byte[all.size()][];
    for (int i = 0; i < names.length; i++) {
      names[i] = all.get(i).getName();
      files[i] = read(all.get(i));
    }
    if (ask(REGISTER, names, all.toArray(new Class<?>[0]), files)) return;
    boolean woven = false;
    for (int i = 0; i < names.length; i++) {
      if (!has(files[i], WOVEN)) continue;
      woven = true;
      Switches.set(names[i], true);
    }
    if (woven) return;
    for (Class<?> c : classes)
      say("registerProbes", c.getName(), "there is no agent, and it was not woven off-line");
  }

  /**
   * Takes probes out.
   *
   * @param names binary names of probe classes, or of classes that hold some
   */
  public static void unregister(String... names) {
    if (!ask(UNREGISTER, names, new Class<?>[names.length], null))
      for (String name : names) Switches.set(name, false);
  }

  /**
   * Takes probes out.
   *
   * @param classes probe classes, or classes that hold some
   */
  public static void unregister(Class<?>... classes) {
    if (!ask(UNREGISTER, names(classes), classes, null))
      for (Class<?> c : classes) Switches.set(c.getName(), false);
  }

  /**
   * Switches probes.
   *
   * @param mode 0 on, 1 off, 2 auto
   * @param names binary names of probe classes, or of classes that hold some
   */
  public static void setMode(int mode, String... names) {
    if (ask(MODE + mode, names, new Class<?>[names.length], null)) return;
    for (String name : names) switchWoven(mode, name, find(name));
  }

  /**
   * Switches probes.
   *
   * @param mode 0 on, 1 off, 2 auto
   * @param classes probe classes, or classes that hold some
   */
  public static void setMode(int mode, Class<?>... classes) {
    if (ask(MODE + mode, names(classes), classes, null)) return;
    for (Class<?> c : classes) switchWoven(mode, c.getName(), c);
  }

  /** Without the agent; says so where it cannot be. */
  private static void switchWoven(int mode, String name, Class<?> c) {
    List<Class<?>> all = new ArrayList<>();
    if (c != null) addHeld(c, all);
    boolean woven = false, switched = false;
    for (Class<?> held : all) {
      byte[] file = read(held);
      woven |= has(file, WOVEN);
      switched |= has(file, BY_SITES);
    }
    if (switched) Switches.set(name, mode == ON);
    else if (woven) say("setMode", name, "it was woven off-line without -dispatch=indy");
    else say("setMode", name, "there is no agent, and it was not woven off-line");
  }

  private static void say(String what, String name, String why) {
    System.err.println("jopt: " + what + " " + name + ": " + why);
  }

  private static String[] names(Class<?>[] classes) {
    String[] names = new String[classes.length];
    for (int i = 0; i < names.length; i++) names[i] = classes[i].getName();
    return names;
  }

  /** As the thread sees it; null if it does not. */
  private static Class<?> find(String name) {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    for (ClassLoader loader : new ClassLoader[] {context, ClassLoader.getSystemClassLoader()})
      try {
        return Class.forName(name, false, loader);
      } catch (ClassNotFoundException | LinkageError e) {
        // The next one.
      }
    return null;
  }

  /** The class and all that are nested in it. */
  private static void addHeld(Class<?> c, List<Class<?>> all) {
    if (all.contains(c)) return;
    all.add(c);
    try {
      for (Class<?> nested : c.getDeclaredClasses()) addHeld(nested, all);
    } catch (LinkageError e) {
      say("registerProbes", c.getName(), "what is nested in it cannot be loaded: " + e);
    }
  }

  /** The class file, as its loader has it; null if it has none. */
  private static byte[] read(Class<?> c) {
    String name = c.getName();
    try (InputStream in =
        c.getResourceAsStream(name.substring(name.lastIndexOf('.') + 1) + ".class")) {
      if (in == null) return null;
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      byte[] part = new byte[8192];
      for (int n; (n = in.read(part)) >= 0; ) all.write(part, 0, n);
      return all.toByteArray();
    } catch (IOException e) {
      return null;
    }
  }

  private static boolean has(byte[] file, String text) {
    return file != null && new String(file, StandardCharsets.ISO_8859_1).contains(text);
  }

  /**
   * Asks the agent; false if there is none.
   *
   * @param classes for each name, or null where only that is known
   * @param files for each class, or null
   */
  private static boolean ask(int what, String[] names, Class<?>[] classes, byte[][] files) {
    try {
      Class<?> bound = Class.forName(ProbeControl.class.getName(), true, null);
      if (bound == ProbeControl.class) {
        control(what, names, classes, files);
        return true;
      }
      bound
          .getMethod("forward", int.class, String[].class, Class[].class, byte[][].class)
          .invoke(null, what, names, classes, files);
      return true;
    } catch (ClassNotFoundException | UnsatisfiedLinkError e) {
      return false; // There is none, or it is not at work yet.
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof UnsatisfiedLinkError) return false;
      throw new IllegalStateException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Asks the agent for a copy of this class.
   *
   * @param what the number of the request
   * @param names of classes
   * @param classes for each name, or null where only that is known
   * @param files for each class, or null
   */
  public static void forward(int what, String[] names, Class<?>[] classes, byte[][] files) {
    control(what, names, classes, files);
  }

  /** Bound by the agent. Returns when it is done, but for what says so on standard error. */
  private static native void control(
      int what, String[] names, Class<?>[] classes, byte[][] files);
}
