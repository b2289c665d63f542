// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf;

import java.lang.annotation.Annotation;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the registry knows of a class. It is reachable from the class alone, so
 * that the registry keeps no class from being unloaded.
 */
final class Registration {
  final Class<?> cls;
  final List<String> names;
  /** How the registry knows this; cleared when another one takes its place. */
  final WeakReference<Registration> self = new WeakReference<>(this);
  final Map<Class<? extends Annotation>, Slot> slots = new LinkedHashMap<>();
  private final Map<String, Integer> identifiers = new HashMap<>();
  private volatile Timers timers;

  private static final class Timers {
    final List<TimingPointType> types;
    final List<String> names;

    Timers(List<TimingPointType> types, List<String> names) {
      this.types = Collections.unmodifiableList(types);
      this.names = Collections.unmodifiableList(names);
    }
  }

  Registration(
      Class<?> cls,
      List<String> names,
      Map<Class<? extends Annotation>, SynchronizedHolder<MethodMonitor>>
          holders) {
    this.cls = cls;
    this.names = Collections.unmodifiableList(new ArrayList<>(names));
    for (int i = 0; i < names.size(); i++) {
      identifiers.putIfAbsent(names.get(i), i);
    }
    for (Map.Entry<
            Class<? extends Annotation>, SynchronizedHolder<MethodMonitor>>
        entry : holders.entrySet()) {
      slots.put(entry.getKey(), new Slot(entry.getKey(), entry.getValue()));
    }
  }

  /** The first index of a name, or -1. */
  int identifier(String name) {
    Integer found = identifiers.get(name);
    return found == null ? -1 : found;
  }

  List<TimingPointType> timerTypes() {
    return timers().types;
  }

  List<String> timerNames() {
    return timers().names;
  }

  /** Read when first asked for: most programs use no timers. */
  private Timers timers() {
    Timers known = timers;
    if (known == null) {
      List<TimingPointType> types = new ArrayList<>();
      List<String> timerNames = new ArrayList<>();
      Names.timers(cls, slots.keySet(), names, types, timerNames);
      timers = known = new Timers(types, timerNames);
    }
    return known;
  }

  /** The holder of one annotation of the class. */
  final class Slot {
    private final SynchronizedHolder<MethodMonitor> holder;
    private final Class<? extends Annotation> annotation;
    private volatile Installed installed = new Installed();

    Slot(
        Class<? extends Annotation> annotation,
        SynchronizedHolder<MethodMonitor> holder) {
      this.annotation = annotation;
      this.holder = holder;
    }

    MethodMonitor monitor() {
      return holder.content();
    }

    /**
     * Brings the holder to the newest state. Monitors are made without any
     * lock; if the state changed meanwhile they are thrown away. Whoever
     * changes the state calls this afterwards, so the last content always
     * belongs to the last state.
     */
    void refresh() {
      for (; ; ) {
        RegistryState state = MethodMonitorRegistry.state();
        Installed old = installed;
        List<MethodMonitorFactory> wanted = state.factoriesFor(annotation);
        Installed next =
            old.isFor(wanted) ? old : new Installed(cls, wanted, old);
        synchronized (this) {
          if (MethodMonitorRegistry.state() != state) {
            continue;
          }
          if (installed != next) {
            installed = next;
            holder.content(next.monitor);
          }
          return;
        }
      }
    }
  }

  /** What a holder holds, and where it comes from. */
  private static final class Installed {
    final List<MethodMonitorFactory> factories;
    final MethodMonitor[] parts;
    final MethodMonitor monitor;

    Installed() {
      factories = Collections.emptyList();
      parts = new MethodMonitor[0];
      monitor = null;
    }

    /** The monitors of factories that were in {@code old} are kept. */
    Installed(
        Class<?> cls, List<MethodMonitorFactory> factories, Installed old) {
      this.factories = factories;
      parts = new MethodMonitor[factories.size()];
      List<MethodMonitor> monitors = new ArrayList<>();
      for (int i = 0; i < parts.length; i++) {
        int before = indexOf(old.factories, factories.get(i));
        parts[i] =
            before >= 0 ? old.parts[before] : factories.get(i).create(cls);
        if (parts[i] != null) {
          monitors.add(parts[i]);
        }
      }
      monitor =
          monitors.size() < 2
              ? Composition.of(cls, null, monitors)
              : Composition.of(
                  cls,
                  MethodMonitorFactoryDefaults.compose(factories),
                  monitors);
    }

    /** By identity: equality of factories is not ours. */
    boolean isFor(List<MethodMonitorFactory> wanted) {
      boolean same = wanted.size() == factories.size();
      for (int i = 0; same && i < wanted.size(); i++) {
        same = wanted.get(i) == factories.get(i);
      }
      return same;
    }

    private static int indexOf(
        List<MethodMonitorFactory> list, MethodMonitorFactory wanted) {
      for (int i = 0; i < list.size(); i++) {
        if (list.get(i) == wanted) {
          return i;
        }
      }
      return -1;
    }
  }
}
