// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.Function;

/**
 * What probed classes refer to, and nothing else of this package: their bootstrap methods. It keeps
 * nothing and names no other class of the package, so that a copy can be in every class loader that
 * does not find the one of the boot loader; all copies ask the same {@code Hosts}.
 */
public final class Link {
  /**
   * The version of the protocols between probed classes and jopt.boot, and between its classes and the
   * agent; it changes whenever one of them does. Requests begin with it, and a request of another format
   * is refused by name. The methods here never change, so that this is possible.
   */
  public static final int FORMAT = 3;

  /**
   * The kinds of request to {@code Hosts}: the first element of a request, before the class that asks.
   * Equal constants are one object in all classes.
   */
  public static final String SITE = "site",
      CALL = "call",
      STATE = "state",
      TRACE_SITE = "trace site",
      TRACE_ENTRY = "trace entry",
      TRACE_DECLARATION = "trace declaration",
      COVERAGE = "coverage",
      MONITORS = "monitors",
      CAME_TO = "came to";

  /** Frames that there is room for when these are found, so that no class stays half initialised for good. */
  private static final int ROOM = 500;

  /** Null until the first request; all threads find the same. */
  private static Function<Object[], Object> hosts;

  private Link() {}

  /** Throws if there is not enough stack; a later call may succeed. */
  private static Object ask(Object... what) {
    Function<Object[], Object> known = hosts;
    if (known == null) hosts = known = find();
    return known.apply(what);
  }

  private static long need(int frames, long a, long b, long c) {
    return frames == 0 ? a + b + c : need(frames - 1, a + 1, b, c) + frames;
  }

  @SuppressWarnings("unchecked")
  private static Function<Object[], Object> find() {
    need(ROOM, 0, 0, 0);
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
   * A site that does what {@code request} describes.
   *
   * @param host the class that the site is in
   * @param name of the site: of the method
   * @param type of the site: Object for types that the host does not see
   * @param request the request, as a text
   * @return the site
   */
  public static CallSite site(
      MethodHandles.Lookup host, String name, MethodType type, String request) {
    return (CallSite) ask(SITE, host.lookupClass(), request, name, type);
  }

  /**
   * Does what a site does, for class files that can have none.
   *
   * @param host the class that calls
   * @param request the request, as a text
   * @param name of the site, a constant too
   * @param type of the site, a descriptor, a constant too
   * @param arguments of the call
   * @return what it returns, as an object
   */
  public static Object call(
      Class<?> host, String request, String name, String type, Object[] arguments) {
    return ask(CALL, host, request, name, type, arguments);
  }

  /**
   * The object of a probe for its host, without a site: for class files that can have none, and for
   * classes that the JVM needs to link one.
   *
   * @param host the class that asks
   * @param request the request, as a text
   * @return the object, or null while its constructor runs on this thread
   */
  public static Object state(Class<?> host, String request) {
    return ask(STATE, host, request);
  }

  /**
   * Whether {@link #state} yields an object.
   *
   * @param host the class that asks
   * @param request the request, as a text
   * @return false while its constructor runs on this thread, and if it cannot be had
   */
  public static boolean hasState(Class<?> host, String request) {
    return state(host, request) != null;
  }

  /**
   * The site that a traced method calls when it is entered. It yields the activation, which receives
   * the events.
   *
   * @param host the class that the site is in
   * @param name of the site
   * @param type of the site: of {@code this}, if there is one, and the number of the event
   * @param declarations what the events of the class are: the parts of a text
   * @return the site
   */
  public static CallSite trace(
      MethodHandles.Lookup host, String name, MethodType type, String... declarations) {
    return (CallSite) ask(TRACE_SITE, host.lookupClass(), declarations, type);
  }

  /**
   * What such a site does, for class files that can have none.
   *
   * @param host the class that calls
   * @param declarations what the events of the class are: a constant
   * @param self {@code this}; null in static methods
   * @param event the number of the event
   * @return the activation
   */
  public static Object trace(Class<?> host, String declarations, Object self, int event) {
    return ask(TRACE_ENTRY, host, declarations, self, event);
  }

  /**
   * The array that covered methods of a class write to: one a class, whichever of its methods asks.
   * It is a constant from class files of version 55 on, and of a site before. The parameters are objects
   * as they are what the JVM calls this with: to convert them would take most of the time of a link.
   *
   * @param host the class that asks
   * @param strategy that by which probes were placed
   * @param type of the site, which yields the array; else that of the constant
   * @param id of the class file: a Long
   * @param count of elements: an Integer for {@code boolean[]}, a Long for {@code long[]}, one whose upper half
   *     is 1 for AtomicLongArray, one where it is 2 for {@code long[]} with 64 elements in each
   * @param rules how JaCoCo's probes follow from the elements: a text
   * @return the site, or the array
   */
  public static Object coverage(
      MethodHandles.Lookup host, String strategy, Object type, Object id, Object count, Object rules) {
    return ask(COVERAGE, host.lookupClass(), strategy, type, id, count, new Object[] {rules});
  }

  /**
   * The same where the text is too long for a constant.
   *
   * @param host as before
   * @param strategy as before
   * @param type as before
   * @param id as before
   * @param count as before
   * @param rules the parts of the text
   * @return as before
   */
  public static Object coverage(
      MethodHandles.Lookup host, String strategy, Object type, Object id, Object count, Object... rules) {
    return ask(COVERAGE, host.lookupClass(), strategy, type, id, count, rules);
  }

  /**
   * The same for a class whose file can have neither constants nor sites that are linked: another
   * asks for it.
   *
   * @param holder the class that asks
   * @param strategy as before
   * @param type as before
   * @param host the class whose methods write to the array: a Class
   * @param id as before
   * @param count as before
   * @param rules the parts of the text
   * @return as before
   */
  public static Object coverageOf(
      MethodHandles.Lookup holder, String strategy, Object type, Object host, Object id, Object count, Object... rules) {
    return ask(COVERAGE, host, strategy, type, id, count, rules);
  }

  /**
   * A point of coverage that is a constant: records itself when it is resolved, once.
   *
   * @param host the class that asks
   * @param strategy that by which probes were placed
   * @param type of the constant
   * @param array that the methods of the class write to: a {@code boolean[]}
   * @param element of the point: an Integer
   * @return the array: a constant is not to be null
   */
  public static Object reached(
      MethodHandles.Lookup host, String strategy, Object type, Object array, Object element) {
    ((boolean[]) array)[(Integer) element] = true;
    pointsLink = true;
    return array;
  }

  /**
   * The same of one that is a call site.
   *
   * @param host as before
   * @param strategy as before
   * @param type of the site
   * @param id of the class file: a Long
   * @param count of elements: an Integer
   * @param element as before
   * @param rules the parts of the text that says how JaCoCo's probes follow
   * @return a site that does nothing
   */
  public static Object reached(
      MethodHandles.Lookup host, String strategy, Object type, Object id, Object count, Object element, Object... rules) {
    CallSite made = nothing;
    if (made == null) nothing = made = makeNothing();
    reached(host, strategy, type, ask(COVERAGE, host.lookupClass(), strategy, null, id, count, rules), element);
    return made;
  }

  /** Does nothing, for all points; null until one asks. Threads that make it at once make equal ones. */
  private static CallSite nothing;

  private static CallSite makeNothing() {
    try {
      MethodType none = MethodType.methodType(void.class);
      return new ConstantCallSite(MethodHandles.lookup().findStatic(Link.class, "doNothing", none));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("jopt.boot.Link is not whole", e);
    }
  }

  private static void doNothing() {}

  /** Points were linked, so what they reached once is not recorded again. */
  private static volatile boolean pointsLink;

  /**
   * Whether a point of coverage was linked. Such a point records once in the life of its class.
   *
   * @return true if one was
   */
  public static boolean pointsLink() {
    return pointsLink;
  }

  /**
   * Asks JaCoCo's agent for the array of a class, as JaCoCo's own code does, and has the array recorded.
   *
   * @param access what gives arrays: its {@code equals} puts one into the place of the id
   * @param request the id of the class file as it was built, the name of the class, the number of probes
   * @param host the class whose methods write to the array
   * @return the array
   */
  public static boolean[] coverageOfOther(Object access, Object[] request, Class<?> host) {
    Object id = request[0];
    access.equals(request);
    boolean[] array = (boolean[]) request[0];
    try {
      ask(COVERAGE, host, "jacoco", array, id, array.length, new Object[] {""});
    } catch (Throwable e) {
      // The program has its array all the same.
    }
    return array;
  }

  /**
   * Records elements that are bits of words, if they are not: the words of most activations have them. What
   * is read may be old; then this looks again, alone with the word. So no thread loses what another records.
   *
   * @param words the array of the class
   * @param word which of them
   * @param bits those to be set
   */
  public static void reach(long[] words, int word, long bits) {
    if ((words[word] & bits) != bits) set(words, word, bits);
  }

  private static void set(long[] words, int word, long bits) {
    synchronized (words) {
      words[word] |= bits;
    }
  }

  /**
   * The same where that may have been done before: in loops.
   *
   * @param words as before
   * @param word as before
   * @param bits as before
   * @param told the bits that were recorded by the activation
   * @return the bits
   */
  public static long reach(long[] words, int word, long bits, long told) {
    if (bits != told) reach(words, word, bits);
    return bits;
  }

  /**
   * Records one element.
   *
   * @param words as before
   * @param element its number
   */
  public static void reach(long[] words, int element) {
    reach(words, element >>> 6, 1L << element);
  }

  /** Counts of places, as {@code Hosts} has them; null until one is needed. */
  private static long[][] places;

  /** The code that provides them may have probes too. */
  private static boolean asksForPlaces;

  /**
   * Control has come to a place of a probe. Threads that come there at once may lose counts of each other.
   *
   * @param place its number
   */
  public static void ran(int place) {
    long[][] all = places;
    long[] some = all == null ? null : all[place >>> 12];
    if (some == null) some = newPlaces(place);
    if (some != null) some[place & 4095]++;
  }

  private static long[] newPlaces(int place) {
    if (asksForPlaces) return null;
    asksForPlaces = true;
    try {
      places = (long[][]) ask(CAME_TO, null, place);
      return places[place >>> 12];
    } catch (Throwable e) {
      // The next caller may have more stack or memory for it.
      return null;
    } finally {
      asksForPlaces = false;
    }
  }

  /** The state of the generator (Marsaglia's) that draws samples. Threads may disturb it. */
  private static long chance = 0x2545f4914f6cdd1dL;

  /**
   * Whether an event is one of a sample: each is with the same chance, whatever came before. Element 0 says how
   * many are passed over until then, so that most events but count it down; threads may disturb that.
   *
   * @param counts the array of the class
   * @param rate of how many events one is, at least 1
   * @return always true at rate 1
   */
  public static boolean isSampled(long[] counts, int rate) {
    return --counts[0] <= 0 && isNext(counts, rate);
  }

  private static boolean isNext(long[] counts, int rate) {
    // The first one of all comes as any other.
    if (counts[0] < 0 && (counts[0] = gap(rate) - 1) > 0) return false;
    counts[0] = gap(rate);
    return true;
  }

  /** How many events it takes until one is of the sample. */
  private static long gap(int rate) {
    long c = chance;
    c ^= c << 13;
    c ^= c >>> 7;
    c ^= c << 17;
    chance = c;
    return 1 + (long) (Math.log(((c >>> 11) + 0.5) / (1L << 53)) / Math.log1p(-1.0 / rate));
  }

  /**
   * Counts an element, if that is of the sample: as often as there are others for each of it.
   *
   * @param counts as before
   * @param element its number
   * @param rate as before
   * @return what was added
   */
  public static int sample(long[] counts, int element, int rate) {
    if (!isSampled(counts, rate)) return 0;
    counts[element] += rate;
    return rate;
  }

  /**
   * The same of a path in a table.
   *
   * @param counts as before
   * @param table where the table begins in it
   * @param path the number of the path
   * @param rate as before
   * @return as before
   */
  public static int samplePath(long[] counts, int table, int path, int rate) {
    if (!isSampled(counts, rate)) return 0;
    countPath(counts, table, path, rate);
    return rate;
  }

  /** Places of a table of paths, and how many a path is looked for in. */
  private static final int PLACES = 2048, LOOKS = 16;

  /** Elements of a table of paths. */
  public static final int PATH_TABLE = 1 + 2 * PLACES;

  /**
   * Counts a path in a table: how many found no place, then a path and one, and its count, for each
   * place. Two threads may lose counts of each other, as in an array.
   *
   * @param counts the array of the class
   * @param table where the table begins in it
   * @param path the number of the path
   */
  public static void countPath(long[] counts, int table, int path) {
    counts[placeOf(counts, table, path)]++;
  }

  /**
   * Counts it so often.
   *
   * @param counts as before
   * @param table as before
   * @param path as before
   * @param times how often
   */
  public static void countPath(long[] counts, int table, int path, long times) {
    counts[placeOf(counts, table, path)] += times;
  }

  /**
   * Takes that back.
   *
   * @param counts as before
   * @param table as before
   * @param path as before
   */
  public static void takePathBack(long[] counts, int table, int path) {
    counts[placeOf(counts, table, path)]--;
  }

  private static int placeOf(long[] counts, int table, int path) {
    int place = path * 0x9e3779b9 >>> 21;
    for (int look = 0; look < LOOKS; look++) {
      int at = table + 1 + 2 * (place + look & PLACES - 1);
      if (counts[at] == 0) counts[at] = path + 1L;
      if (counts[at] == path + 1L) return at + 1;
    }
    return table;
  }

  /**
   * Declares the events of a class, whether it runs or not.
   *
   * @param declarations the parts of a text
   */
  public static void declare(String[] declarations) {
    ask(TRACE_DECLARATION, null, declarations);
  }

  /**
   * A registry of the tracing facility may have changed monitors. Never throws.
   *
   * @param registry the registry
   * @param traced the class that it concerns, or null
   */
  public static void monitorsChanged(Class<?> registry, Class<?> traced) {
    ask(MONITORS, null, registry, traced);
  }
}
