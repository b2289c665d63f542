// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf.timer;

import java.util.ArrayList;
import java.util.List;
import jopt.tf.MethodMonitorRegistry;
import jopt.tf.TimingPointType;

/**
 * A factory, a controller, and the object whose class the enhancer generated
 * for the timing points.
 *
 * @param <T> the type of that object
 */
public final class TimerManager<T> {
  private final TimerFactory factory;
  private final TimerEventController controller;
  private volatile T points;

  /**
   * Makes a manager with a factory of the same name.
   *
   * @param name the name
   * @throws IllegalArgumentException if a factory has this name
   */
  public TimerManager(String name) {
    this(ObjectRegistrationManager.NONE, name);
  }

  /**
   * Makes a manager with a factory of the same name.
   *
   * @param manager gets every object that the factory makes
   * @param name the name
   * @throws IllegalArgumentException if a factory has this name
   */
  public TimerManager(ObjectRegistrationManager manager, String name) {
    factory =
        TimerFactoryBuilder.make(manager, name, "TimerFactory for " + name);
    controller = factory.makeController("TimerController");
  }

  /** Destroys the factory. */
  public void destroy() {
    factory.removeController(controller);
    TimerFactoryBuilder.destroy(factory);
  }

  /**
   * Gives the manager its timing points.
   *
   * @param value the object
   * @throws IllegalStateException if it has some
   */
  public synchronized void initialize(T value) {
    if (points != null) {
      throw new IllegalStateException("TimerManager is already initialized");
    }
    points = value;
  }

  /**
   * The timing points.
   *
   * @return the object, null before {@link #initialize}
   */
  public T points() {
    return points;
  }

  /**
   * What makes the timers.
   *
   * @return the factory
   */
  public TimerFactory factory() {
    return factory;
  }

  /**
   * What events are given to.
   *
   * @return the controller
   */
  public TimerEventController controller() {
    return controller;
  }

  /**
   * The timers of a traced class, by identifier.
   *
   * @param cls the class
   * @return a timer or null for each of its methods
   * @throws IllegalArgumentException if the class is not registered
   */
  public List<Timer> getTimers(Class<?> cls) {
    String simple = cls.getName();
    simple = simple.substring(simple.lastIndexOf('.') + 1);
    List<TimingPointType> types = MethodMonitorRegistry.getTimerTypes(cls);
    List<String> names = MethodMonitorRegistry.getTimerNames(cls);
    List<Timer> timers = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      timers.add(
          types.get(i) == TimingPointType.NONE
              ? null
              : factory.timer(
                  TimerFactoryBuilder.getTimerName(simple, names.get(i))));
    }
    return timers;
  }
}
