// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf;

import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The registered factories at one moment. Immutable. */
final class RegistryState {
  private static final class Entry {
    final MethodMonitorFactory factory;
    /** The annotation and all below it. */
    final Set<Class<? extends Annotation>> closure;

    Entry(
        MethodMonitorFactory factory,
        Set<Class<? extends Annotation>> closure) {
      this.factory = factory;
      this.closure = closure;
    }
  }

  private final Map<Class<? extends Annotation>, Entry> entries;
  /** Annotations that ever had a factory while the old rules held. */
  private final Set<Class<? extends Annotation>> touched;

  final boolean legacy;

  RegistryState(boolean legacy) {
    this(
        legacy,
        Collections.<Class<? extends Annotation>, Entry>emptyMap(),
        Collections.<Class<? extends Annotation>>emptySet());
  }

  private RegistryState(
      boolean legacy,
      Map<Class<? extends Annotation>, Entry> entries,
      Set<Class<? extends Annotation>> touched) {
    this.legacy = legacy;
    this.entries = entries;
    this.touched = touched;
  }

  /** With {@code factory} at {@code annotation}; null takes away. */
  RegistryState with(
      Class<? extends Annotation> annotation,
      MethodMonitorFactory factory,
      Set<Class<? extends Annotation>> closure) {
    Map<Class<? extends Annotation>, Entry> newEntries =
        new LinkedHashMap<>(entries);
    if (factory == null) {
      newEntries.remove(annotation);
    } else {
      newEntries.put(annotation, new Entry(factory, closure));
    }
    Set<Class<? extends Annotation>> newTouched = touched;
    if (legacy && factory != null && !touched.contains(annotation)) {
      newTouched = new HashSet<>(touched);
      newTouched.add(annotation);
    }
    return new RegistryState(legacy, newEntries, newTouched);
  }

  RegistryState withLegacy(boolean newLegacy) {
    return new RegistryState(
        newLegacy,
        entries,
        newLegacy
            ? new HashSet<>(entries.keySet())
            : Collections.<Class<? extends Annotation>>emptySet());
  }

  MethodMonitorFactory factory(Class<? extends Annotation> annotation) {
    Entry entry = entries.get(annotation);
    return entry == null ? null : entry.factory;
  }

  /**
   * The factories that a holder of {@code annotation} gets, in the order of
   * their registration: those of the annotation and of every group above it;
   * by the old rules of every group below it, and NoOp where something was
   * registered once.
   */
  List<MethodMonitorFactory> factoriesFor(
      Class<? extends Annotation> annotation) {
    Set<Class<? extends Annotation>> below =
        legacy ? Groups.closure(annotation) : null;
    List<MethodMonitorFactory> found = new ArrayList<>();
    Set<MethodMonitorFactory> seen =
        Collections.newSetFromMap(
            new IdentityHashMap<MethodMonitorFactory, Boolean>());
    for (Map.Entry<Class<? extends Annotation>, Entry> entry :
        entries.entrySet()) {
      boolean reaches =
          legacy
              ? below.contains(entry.getKey())
              : entry.getValue().closure.contains(annotation);
      if (reaches) {
        for (MethodMonitorFactory part : entry.getValue().factory.contents()) {
          if (seen.add(part)) {
            found.add(part);
          }
        }
      }
    }
    if (found.isEmpty() && touched.contains(annotation)) {
      found.add(MethodMonitorFactoryDefaults.noOp());
    }
    return found;
  }
}
