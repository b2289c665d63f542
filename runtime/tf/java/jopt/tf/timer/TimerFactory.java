// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf.timer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Makes timers, groups, controllers and handlers, and is itself the group of
 * all timers and groups that it made, and of itself. Any thread may use it.
 *
 * @see TimerFactoryBuilder
 */
public final class TimerFactory extends TimerGroup {
  private final ObjectRegistrationManager manager;
  private final List<Controllable> all = new ArrayList<>();
  private final Map<String, Timer> timers = new TreeMap<>();
  private final Map<String, TimerGroup> groups = new TreeMap<>();
  private final Map<String, Named> controllers = new LinkedHashMap<>();
  private final Map<String, Named> handlers = new LinkedHashMap<>();
  private volatile int numberOfIds;

  TimerFactory(
      ObjectRegistrationManager manager, String name, String description) {
    super(0, null, name, description);
    this.manager = manager;
    manager.manage(this);
    groups.put(name, this);
    own(this);
  }

  private void own(Controllable made) {
    all.add(made);
    numberOfIds = all.size();
    add(made);
  }

  private void checkNew(Map<String, ? extends Named> known, String name) {
    if (known.containsKey(name)) {
      throw new IllegalArgumentException(name + " is already used.");
    }
  }

  /**
   * One more than the largest number of a timer or group; never shrinks.
   *
   * @return the number
   */
  public int numberOfIds() {
    return numberOfIds;
  }

  /**
   * The timer or group with a number.
   *
   * @param id the number
   * @return the timer or group
   * @throws IllegalArgumentException if there is none
   */
  public synchronized Controllable getControllable(int id) {
    if (id < 0 || id >= all.size()) {
      throw new IllegalArgumentException(
          "Argument " + id + " must be between 0 and " + (all.size() - 1));
    }
    return all.get(id);
  }

  /**
   * Makes a timer.
   *
   * @param name its name, not that of another timer here
   * @param description a text for people
   * @return the timer
   * @throws IllegalArgumentException if the name is in use
   */
  public synchronized Timer makeTimer(String name, String description) {
    checkNew(timers, name);
    Timer timer = new Timer(all.size(), this, name, description);
    manager.manage(this, timer);
    timers.put(name, timer);
    own(timer);
    return timer;
  }

  /**
   * Makes a group.
   *
   * @param name its name, not that of another group here
   * @param description a text for people
   * @return the group
   * @throws IllegalArgumentException if the name is in use
   */
  public synchronized TimerGroup makeTimerGroup(
      String name, String description) {
    checkNew(groups, name);
    TimerGroup group = new TimerGroup(all.size(), this, name, description);
    manager.manage(this, group);
    groups.put(name, group);
    own(group);
    return group;
  }

  /**
   * Whether there is a timer of a name.
   *
   * @param name the name
   * @return true if there is
   */
  public synchronized boolean timerAlreadyExists(String name) {
    return timers.containsKey(name);
  }

  /**
   * The timers by name.
   *
   * @return a sorted copy
   */
  public synchronized Map<String, Timer> timers() {
    return new TreeMap<>(timers);
  }

  /**
   * The groups by name, this one among them.
   *
   * @return a sorted copy
   */
  public synchronized Map<String, TimerGroup> timerGroups() {
    return new TreeMap<>(groups);
  }

  Timer timer(String name) {
    synchronized (this) {
      return timers.get(name);
    }
  }

  private <T extends Named> T keep(Map<String, Named> known, T made) {
    if (known.putIfAbsent(made.name(), made) != null) {
      throw new IllegalArgumentException(
          "Name " + made.name() + " is already in use.");
    }
    manager.manage(this, made);
    return made;
  }

  /**
   * Makes a controller.
   *
   * @param name its name, not that of another controller here
   * @return the controller
   * @throws IllegalArgumentException if the name is in use
   */
  public synchronized TimerEventController makeController(String name) {
    return keep(controllers, new TimerEventController(this, name));
  }

  /**
   * Forgets a controller: its name is free again.
   *
   * @param controller the controller
   */
  public synchronized void removeController(TimerEventController controller) {
    if (controllers.remove(controller.name(), controller)) {
      manager.unmanage(controller);
    }
  }

  /**
   * Makes a handler that keeps all events.
   *
   * @param name its name, not that of another handler here
   * @return the handler
   * @throws IllegalArgumentException if the name is in use
   */
  public synchronized LogEventHandler makeLogEventHandler(String name) {
    return keep(handlers, new LogEventHandler(this, name));
  }

  /**
   * Makes a handler that prints events to {@link System#out}.
   *
   * @param name its name, not that of another handler here
   * @return the handler
   * @throws IllegalArgumentException if the name is in use
   */
  public synchronized TracingEventHandler makeTracingEventHandler(String name) {
    return keep(handlers, new TracingEventHandler(this, name));
  }

  /**
   * Makes a handler that measures durations.
   *
   * @param name its name, not that of another handler here
   * @return the handler
   * @throws IllegalArgumentException if the name is in use
   */
  public synchronized StatsEventHandler makeStatsEventHandler(String name) {
    return keep(handlers, new StatsEventHandler(this, name));
  }

  /**
   * The same as {@link #makeStatsEventHandler}: all of these handlers serve any
   * number of threads. It is here for programs that ask for such a one.
   *
   * @param name its name, not that of another handler here
   * @return the handler
   * @throws IllegalArgumentException if the name is in use
   */
  public StatsEventHandler makeMultiThreadedStatsEventHandler(String name) {
    return makeStatsEventHandler(name);
  }

  /**
   * Forgets a handler: its name is free again. Controllers keep it until it is
   * deregistered there.
   *
   * @param handler the handler
   */
  public synchronized void removeTimerEventHandler(TimerEventHandler handler) {
    if (handlers.remove(handler.name(), handler)) {
      manager.unmanage((Named) handler);
    }
  }

  /**
   * The timers and groups that are switched on themselves.
   *
   * @return a copy, in the order of making
   */
  public synchronized Set<Controllable> enabledSet() {
    Set<Controllable> found = new LinkedHashSet<>();
    for (Controllable one : all) {
      if (one.isEnabled()) {
        found.add(one);
      }
    }
    return found;
  }

  /**
   * The timers whose events are passed on.
   *
   * @return a copy, sorted by name
   */
  public synchronized Set<Timer> activeSet() {
    Set<Timer> found = new LinkedHashSet<>();
    for (Timer timer : timers.values()) {
      if (timer.isActivated()) {
        found.add(timer);
      }
    }
    return found;
  }

  synchronized void enable(Controllable which, boolean value) {
    which.setEnabled(value);
    updateActivation();
  }

  /** Under the lock: what is in an enabled group, or enabled, is active. */
  void updateActivation() {
    Set<Controllable> active = new HashSet<>();
    Deque<Controllable> work = new ArrayDeque<>();
    for (Controllable one : all) {
      if (one.isEnabled()) {
        work.add(one);
      }
    }
    while (!work.isEmpty()) {
      Controllable one = work.remove();
      if (active.add(one) && one instanceof TimerGroup) {
        work.addAll(((TimerGroup) one).members());
      }
    }
    for (Timer timer : timers.values()) {
      timer.setActivated(active.contains(timer));
    }
  }

  /** Unmanages everything; called when the factory is destroyed. */
  synchronized void unmanageAll() {
    for (Named controller : controllers.values()) {
      manager.unmanage(controller);
    }
    for (Named handler : handlers.values()) {
      manager.unmanage(handler);
    }
    for (Controllable one : all) {
      if (one != this) {
        manager.unmanage(one);
      }
    }
    manager.unmanage(this);
  }
}
