// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.record;

/**
 * Registers probe classes in the running JVM. The agent is what can; it sets {@link #agent} when it
 * is there.
 */
public final class ProbeControl {
  /** What the agent does for a program. */
  public interface Agent {
    /**
     * Puts probes in.
     *
     * @param names binary names of probe classes, or of classes that hold some
     * @param classes the classes themselves, in that order; null if only names are known
     */
    void register(String[] names, Class<?>[] classes);

    /**
     * Takes probes out.
     *
     * @param names binary names of probe classes, or of classes that hold some
     */
    void unregister(String[] names);

    /**
     * Switches probes.
     *
     * @param mode 0 on, 1 off, 2 auto
     * @param names binary names of probe classes, or of classes that hold some
     */
    void setMode(int mode, String[] names);
  }

  /** The agent; null if there is none. */
  public static volatile Agent agent;

  private ProbeControl() {}

  /**
   * The names of classes.
   *
   * @param classes the classes
   * @return their binary names
   */
  public static String[] names(Class<?>[] classes) {
    String[] names = new String[classes.length];
    for (int i = 0; i < names.length; i++) names[i] = classes[i].getName();
    return names;
  }

  /**
   * Puts probes in.
   *
   * @param names binary names of probe classes, or of classes that hold some
   * @param classes the classes themselves, in that order; null if only names are known
   */
  public static void register(String[] names, Class<?>[] classes) {
    Agent a = agent;
    if (a != null) a.register(names, classes);
    else refuse("registerProbes", names);
  }

  /**
   * Takes probes out.
   *
   * @param names binary names of probe classes, or of classes that hold some
   */
  public static void unregister(String[] names) {
    Agent a = agent;
    if (a != null) a.unregister(names);
  }

  /**
   * Switches probes.
   *
   * @param mode 0 on, 1 off, 2 auto
   * @param names binary names of probe classes, or of classes that hold some
   */
  public static void setMode(int mode, String[] names) {
    Agent a = agent;
    if (a != null) a.setMode(mode, names);
    else refuse("setMode", names);
  }

  private static void refuse(String what, String[] names) {
    for (String name : names) {
      System.err.println(
          "jopt: " + what + " " + name + ": without the agent only classes woven with it have its"
              + " probes");
    }
  }
}
