// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.trace;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import jopt.boot.Link; // its constants alone

/**
 * What traced classes ask for, and whether what they tell is recorded or printed. What is behind {@code
 * jopt.boot.Link} knows this class by its name alone.
 */
public final class Tracing implements Function<Object[], Object> {
  // All of one loader: the boot loader, which others ask first, may get the agent's copies later.
  static final Class<?>[] OWN = {
    Activation.class, Clock.class, Declarations.class, Declarations.Kind.class, Declarations.Visitor.class,
    Definitions.class, Definitions.Definition.class, Ending.class, EntrySite.class, Lane.class, Lane.Values.class, Request.class, Requests.class, Stream.class, Text.class,
    Text.Declarer.class, Text.Lines.class,
    TracedClass.class, TracedClass.Arguments.class, TracedClass.Entries.class, TracedMethod.class
  };

  /** Prints events as they happen; null: they are recorded. */
  static final Text text = Text.asked();

  private static final Map<String, TracedClass> classes = new HashMap<>();

  private static int lastClass;

  /** By the texts of classes that can have no sites: constants, each one object. */
  private static volatile Object[] bridges = new Object[64];

  private static int bridgeCount;

  /** For what knows the name. */
  public Tracing() {}

  @Override
  public Object apply(Object[] a) {
    if (a[0] == Link.TRACE_ENTRY) return enter((String) a[2], a[3], (Integer) a[4]);
    if (a[0] == Link.TRACE_SITE) return site((String[]) a[2], (MethodType) a[3]);
    declare((String[]) a[2]);
    return null;
  }

  /**
   * The site that a traced method calls when it is entered.
   *
   * @param parts of the text in which its class says what its events are
   * @param type {@code (Object,int)Object}, for static methods {@code (int)Object}
   * @return the site
   */
  private static CallSite site(String[] parts, MethodType type) {
    Lane lane = Lane.current();
    boolean isOurs = lane != null && lane.take();
    try {
      return new EntrySite(of(parts), type);
    } catch (RuntimeException e) {
      complain(e);
      return new ConstantCallSite(
          MethodHandles.dropArguments(
              MethodHandles.constant(Object.class, Activation.NONE), 0, type.parameterList()));
    } finally {
      if (isOurs) lane.busy = false;
    }
  }

  /**
   * What such a site does, for classes that can have none.
   *
   * @param text in which its class says what its events are: a constant
   * @param self the object whose method is entered; null for a static one
   * @param event the number of that event in its class
   * @return the activation
   */
  private static Object enter(String text, Object self, int event) {
    TracedClass type = known(text);
    if (type == null && (type = bridge(text)) == null) return Activation.NONE;
    TracedMethod[] all = type.methods;
    TracedMethod method = event < all.length ? all[event] : null;
    if (method == null && (method = define(type, event)) == null) return Activation.NONE;
    return self == null
        ? Activation.enter(method.code, event)
        : Activation.enter(method.code, self, event);
  }

  private static TracedClass known(String text) {
    Object[] all = bridges;
    for (int i = System.identityHashCode(text) * 2; ; i += 2) {
      Object known = all[i & all.length - 1];
      if (known == null) return null;
      if (known == text) return (TracedClass) all[i + 1 & all.length - 1];
    }
  }

  private static TracedMethod define(TracedClass type, int event) {
    Lane lane = Lane.current();
    if (lane == null || !lane.take()) return null;
    TracedMethod method = null;
    try {
      return method = type.define(event);
    } catch (Throwable e) {
      return null; // No stack, no memory: the next call may have more.
    } finally {
      if (method == null) lane.isBroken = lane.out.isBroken = true;
      lane.busy = false;
    }
  }

  private static TracedClass bridge(String text) {
    Lane lane = Lane.current();
    if (lane == null || !lane.take()) return null;
    try {
      TracedClass type = of(new String[] {text});
      add(text, type);
      return type;
    } catch (RuntimeException e) {
      complain(e);
      return null;
    } finally {
      lane.busy = false;
    }
  }

  private static synchronized void add(String text, TracedClass type) {
    Object[] all = bridges;
    if (++bridgeCount * 4 > all.length) {
      Object[] more = new Object[all.length * 2];
      for (int i = 0; i < all.length; i += 2) if (all[i] != null) insert(more, all[i], all[i + 1]);
      all = more;
    }
    insert(all, text, type);
    bridges = all;
  }

  private static void insert(Object[] all, Object text, Object type) {
    int i = System.identityHashCode(text) * 2;
    while (all[i & all.length - 1] != null) i += 2;
    // In this order: others look for the text.
    all[i + 1 & all.length - 1] = type;
    all[i & all.length - 1] = text;
  }

  private static synchronized TracedClass of(String[] parts) {
    // Constants, whose hashes are known when the next method of the class is linked.
    Declarations declared = new Declarations(parts[0]);
    int length = 0;
    for (String part : parts) length += part.length();
    String key = declared.id + ' ' + declared.name + ' ' + length + ' ' + Arrays.hashCode(parts);
    TracedClass known = classes.get(key);
    if (known != null) return known;
    String all = parts.length == 1 ? parts[0] : String.join("", parts);
    declared = new Declarations(all);
    if (text != null && declared.option("reconstruct") != null)
      throw new IllegalArgumentException("with -trace-reconstruct there is a record, and no text at once");
    TracedClass type = new TracedClass(++lastClass, declared, all);
    if (text != null) type.lines = text.declare(declared);
    else Definitions.type(type.number, all, type.isForRequests);
    classes.put(key, type);
    if (!type.isForRequests) Ending.add(declared, type.hasEntry());
    return type;
  }

  /**
   * Declares a class, whether it runs or not.
   *
   * @param parts of the text in which it says what its events are
   */
  private static void declare(String[] parts) {
    Lane lane = Lane.current();
    if (lane == null || !lane.take()) return;
    try {
      if (!of(parts).isForRequests) Definitions.begin();
    } catch (RuntimeException e) {
      complain(e);
    } finally {
      lane.busy = false;
    }
  }

  private static void complain(RuntimeException e) {
    System.err.println("jopt: a class is not traced: " + e);
  }
}
