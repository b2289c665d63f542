// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Classes of the JDK whose methods may be called: they call nothing of what they hold, take no lock and end. A subclass
 * is not one of them.
 */
final class Trusted {
  /** Values whose text says all. */
  private static final Set<String> VALUES =
      new HashSet<>(
          Arrays.asList(
              "java.util.UUID", "java.util.Locale", "java.util.OptionalInt", "java.util.OptionalLong",
              "java.util.OptionalDouble", "java.util.concurrent.atomic.LongAdder", "java.time.Instant",
              "java.time.Duration", "java.time.Period", "java.time.LocalDate", "java.time.LocalTime",
              "java.time.LocalDateTime", "java.time.OffsetDateTime", "java.time.OffsetTime", "java.time.ZonedDateTime",
              "java.time.ZoneOffset", "java.time.ZoneRegion", "java.time.Year", "java.time.YearMonth",
              "java.time.MonthDay", "java.util.Date", "java.sql.Timestamp", "java.sql.Date", "java.sql.Time",
              "java.io.File", "java.net.URI", "java.util.regex.Pattern", "sun.nio.fs.UnixPath", "java.util.BitSet"));

  private static final Set<String> COLLECTIONS =
      new HashSet<>(
          Arrays.asList(
              "java.util.ArrayList", "java.util.LinkedList", "java.util.ArrayDeque", "java.util.HashSet",
              "java.util.LinkedHashSet", "java.util.TreeSet", "java.util.PriorityQueue", "java.util.Arrays$ArrayList",
              "java.util.RegularEnumSet", "java.util.JumboEnumSet", "java.util.Collections$EmptyList",
              "java.util.Collections$EmptySet", "java.util.Collections$SingletonList",
              "java.util.Collections$SingletonSet", "java.util.ImmutableCollections$List12",
              "java.util.ImmutableCollections$ListN", "java.util.ImmutableCollections$Set12",
              "java.util.ImmutableCollections$SetN", "java.util.concurrent.CopyOnWriteArrayList",
              "java.util.concurrent.CopyOnWriteArraySet", "java.util.concurrent.ConcurrentLinkedQueue",
              "java.util.concurrent.ConcurrentLinkedDeque", "java.util.concurrent.ConcurrentSkipListSet"));

  private static final Set<String> MAPS =
      new HashSet<>(
          Arrays.asList(
              "java.util.HashMap", "java.util.LinkedHashMap", "java.util.TreeMap", "java.util.IdentityHashMap",
              "java.util.EnumMap", "java.util.Collections$EmptyMap", "java.util.Collections$SingletonMap",
              "java.util.ImmutableCollections$Map1", "java.util.ImmutableCollections$MapN",
              "java.util.concurrent.ConcurrentHashMap", "java.util.concurrent.ConcurrentSkipListMap"));

  private Trusted() {}

  /** The text of a value; null if it is none that is known. */
  static String text(Object value) {
    Class<?> type = value.getClass();
    if (type.getClassLoader() != null && !type.getName().startsWith("java.sql.")) return null;
    boolean isKnown =
        type == BigDecimal.class || type == BigInteger.class
            || type == AtomicInteger.class || type == AtomicLong.class || type == AtomicBoolean.class
            || VALUES.contains(type.getName());
    if (!isKnown || value instanceof BigInteger && ((BigInteger) value).bitLength() > 2000
        || value instanceof BigDecimal && ((BigDecimal) value).precision() > 600
        || value instanceof BitSet && ((BitSet) value).length() > 2000) return null;
    try {
      String text = String.valueOf(value);
      boolean isLong = text.length() > Expanded.TEXT;
      return SafeText.line(Secrets.scrub(isLong ? text.substring(0, Expanded.TEXT) : text)) + (isLong ? "..." : "");
    } catch (Throwable e) {
      return null;
    }
  }

  /** The one object in a box of the JDK; {@link Members#NONE} if it is none, or empty. */
  static Object held(Object value) {
    Class<?> type = value.getClass();
    if (type == Optional.class && ((Optional<?>) value).isPresent()) return ((Optional<?>) value).get();
    if (type == AtomicReference.class) return ((AtomicReference<?>) value).get();
    return Members.NONE;
  }

  static boolean isCollection(Object value) {
    return value instanceof Collection && isOf(COLLECTIONS, value);
  }

  /** Its size is not known: it would count its elements. */
  static boolean isCounted(Object value) {
    return value.getClass() == ConcurrentLinkedQueue.class || value.getClass() == ConcurrentLinkedDeque.class;
  }

  static boolean isMap(Object value) {
    return value instanceof Map && isOf(MAPS, value);
  }

  private static boolean isOf(Set<String> names, Object value) {
    Class<?> type = value.getClass();
    return type.getClassLoader() == null && names.contains(type.getName());
  }
}
