// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf;

import java.util.ArrayList;
import java.util.List;

/** A factory of monitors that call others. */
final class Composition extends MethodMonitorFactoryBase {
  private final List<MethodMonitorFactory> parts;

  Composition(List<MethodMonitorFactory> parts) {
    super(factoryNames(parts), parts);
    this.parts = parts;
  }

  @Override
  public MethodMonitor create(Class<?> cls) {
    List<MethodMonitor> monitors = new ArrayList<>();
    for (MethodMonitorFactory part : parts) {
      MethodMonitor monitor = part.create(cls);
      if (monitor != null) {
        monitors.add(monitor);
      }
    }
    return of(cls, this, monitors);
  }

  private static String factoryNames(List<MethodMonitorFactory> parts) {
    List<String> names = new ArrayList<>();
    for (MethodMonitorFactory part : parts) {
      names.add(part.name());
    }
    return "compose(" + String.join(",", names) + ")";
  }

  private static String monitorNames(List<MethodMonitor> monitors) {
    List<String> names = new ArrayList<>();
    for (MethodMonitor monitor : monitors) {
      names.add(monitor.name());
    }
    return "compose(" + String.join(",", names) + ")";
  }

  /** One for all of {@code monitors}: null, the only one, or a composed one. */
  static MethodMonitor of(
      Class<?> cls,
      MethodMonitorFactory factory,
      List<MethodMonitor> monitors) {
    if (monitors.size() < 2) {
      return monitors.isEmpty() ? null : monitors.get(0);
    }
    for (MethodMonitor monitor : monitors) {
      if (!(monitor instanceof LeanMethodMonitor)) {
        return new Full(cls, factory, monitors);
      }
    }
    return new Lean(cls, factory, monitors);
  }

  /** Monitors of which some want arguments. */
  private static final class Full extends MethodMonitorBase {
    private final MethodMonitor[] parts;

    Full(
        Class<?> cls,
        MethodMonitorFactory factory,
        List<MethodMonitor> parts) {
      super(monitorNames(parts), cls, factory, parts);
      this.parts = parts.toArray(new MethodMonitor[0]);
    }

    @Override
    public void enter(int ident, Object... args) {
      for (MethodMonitor part : parts) {
        part.enter(ident, args);
      }
    }

    @Override
    public void info(Object[] args, int callerIdent, int selfIdent) {
      for (MethodMonitor part : parts) {
        part.info(args, callerIdent, selfIdent);
      }
    }

    @Override
    public void exit(int ident) {
      for (MethodMonitor part : parts) {
        part.exit(ident);
      }
    }

    @Override
    public void exit(int ident, Object result) {
      for (MethodMonitor part : parts) {
        part.exit(ident, result);
      }
    }

    @Override
    public void exception(int ident, Throwable thrown) {
      for (MethodMonitor part : parts) {
        part.exception(ident, thrown);
      }
    }

    @Override
    public void clear() {
      for (MethodMonitor part : parts) {
        part.clear();
      }
    }
  }

  /** Monitors of which none wants arguments. */
  private static final class Lean extends MethodMonitorBase
      implements LeanMethodMonitor {
    private final LeanMethodMonitor[] parts;

    Lean(
        Class<?> cls,
        MethodMonitorFactory factory,
        List<MethodMonitor> parts) {
      super(monitorNames(parts), cls, factory, parts);
      this.parts = parts.toArray(new LeanMethodMonitor[0]);
    }

    @Override
    public void enter(int ident) {
      for (LeanMethodMonitor part : parts) {
        part.enter(ident);
      }
    }

    @Override
    public void info(int callerIdent, int selfIdent) {
      for (LeanMethodMonitor part : parts) {
        part.info(callerIdent, selfIdent);
      }
    }

    @Override
    public void exit(int ident) {
      for (LeanMethodMonitor part : parts) {
        part.exit(ident);
      }
    }

    @Override
    public void exception(int ident, Throwable thrown) {
      for (LeanMethodMonitor part : parts) {
        part.exception(ident, thrown);
      }
    }

    @Override
    public void clear() {
      for (LeanMethodMonitor part : parts) {
        part.clear();
      }
    }
  }
}
