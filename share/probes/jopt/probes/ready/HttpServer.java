// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.ready;

import java.lang.reflect.Method;
import jopt.probes.*;

/**
 * Requests that a program answers: by servlets, of either package, and by the JDK's own server. A
 * request passes through filters and servlets that forward it; it is one row. The types of servers
 * are in no class path of this one, so they are reached by reflection.
 */
public final class HttpServer {
  private static final boolean VALUES = Boolean.getBoolean("jopt.probes.values");

  private HttpServer() {}

  private static final class Requests extends Table {
    final StringColumn method = new StringColumn("Method");
    final StringColumn url = new StringColumn("URL");
    final IntColumn status = new IntColumn("Status");
    final ClassNameColumn handler = new ClassNameColumn("Handler");

    Requests() {
      super(
          HttpServer.class,
          "HTTP Request",
          LASTING_EVENTS
              | RECORD_THREAD
              | (Boolean.getBoolean("jopt.probes.stacks") ? RECORD_STACK_TRACE : 0));
    }
  }

  private static final Requests requests = new Requests();

  /** What a thread is in. */
  private static final class State {
    /** How many calls of probed methods. */
    int depth;
    /** The row of the outermost one. */
    int row;
  }

  private static final ThreadLocal<State> states =
      new ThreadLocal<State>() {
        @Override
        protected State initialValue() {
          return new State();
        }
      };

  /** The getters of a class of requests, responses or exchanges, by the places below. */
  private static final ClassValue<Method[]> getters =
      new ClassValue<Method[]>() {
        @Override
        protected Method[] computeValue(Class<?> type) {
          Method[] found = new Method[NAMES.length];
          collect(type, found);
          return found;
        }
      };

  private static final int METHOD = 0;
  private static final int URI = 1;
  private static final int QUERY = 2;
  private static final int STATUS = 3;
  private static final int EXCHANGE_METHOD = 4;
  private static final int EXCHANGE_STATUS = 5;
  private static final String[] NAMES = {
    "getMethod", "getRequestURI", "getQueryString", "getStatus", "getRequestMethod", "getResponseCode"
  };

  /** The class of an object is often hidden; what declares its methods for users is not. */
  private static void collect(Class<?> type, Method[] found) {
    if (type == null) return;
    String name = type.getName();
    if (name.startsWith("javax.servlet.")
        || name.startsWith("jakarta.servlet.")
        || name.startsWith("com.sun.net.httpserver.")) {
      for (int i = 0; i < NAMES.length; i++) {
        try {
          if (found[i] == null) found[i] = type.getMethod(NAMES[i]);
        } catch (NoSuchMethodException e) {
          // That of another type.
        }
      }
    }
    collect(type.getSuperclass(), found);
    for (Class<?> each : type.getInterfaces()) collect(each, found);
  }

  private static Object get(Object object, int which) {
    if (object == null) return null;
    try {
      Method getter = getters.get(object.getClass())[which];
      return getter == null ? null : getter.invoke(object);
    } catch (Throwable refused) {
      return null;
    }
  }

  private static String url(Object path, Object query) {
    if (path == null) return null;
    String text = path.toString();
    if (query != null) text += "?" + query;
    int at = text.indexOf('?');
    return VALUES || at < 0 ? text : text.substring(0, at + 1) + "...";
  }

  /** Is this call the first of a request? If not, {@code handler} is nearer to its answer. */
  private static boolean enter(Class<?> handler, String method) {
    State s = states.get();
    if (s.depth++ == 0) return true;
    if (!method.equals("doFilter")) requests.handler.setValue(s.row, handler);
    return false;
  }

  private static int begin(Class<?> handler, Object method, Object path, Object query) {
    int row = requests.createRow();
    states.get().row = row;
    requests.method.setValue(row, (String) method);
    requests.url.setValue(row, url(path, query));
    requests.handler.setValue(row, handler);
    return row;
  }

  private static void end(int row, Object status, Throwable thrown) {
    // The JDK's server says -1 before an answer has begun.
    if (status instanceof Integer && (Integer) status > 0) {
      requests.status.setValue(row, (Integer) status);
    }
    requests.closeRow(row, thrown);
  }

  /** Servlets and filters. */
  @MethodPattern({
    "*:service(javax.servlet.ServletRequest, javax.servlet.ServletResponse)",
    "*:service(jakarta.servlet.ServletRequest, jakarta.servlet.ServletResponse)",
    "*:service(javax.servlet.http.HttpServletRequest, javax.servlet.http.HttpServletResponse)",
    "*:service(jakarta.servlet.http.HttpServletRequest, jakarta.servlet.http.HttpServletResponse)",
    "*:do*(javax.servlet.http.HttpServletRequest, javax.servlet.http.HttpServletResponse)",
    "*:do*(jakarta.servlet.http.HttpServletRequest, jakarta.servlet.http.HttpServletResponse)",
    "*:doFilter(javax.servlet.ServletRequest, javax.servlet.ServletResponse, *)",
    "*:doFilter(jakarta.servlet.ServletRequest, jakarta.servlet.ServletResponse, *)"
  })
  public static final class Servlet {
    public static int onEnter(
        @This Object servlet, @MethodName String method, @Param(1) Object request) {
      Class<?> type = servlet == null ? null : servlet.getClass();
      return enter(type, method)
          ? begin(type, get(request, METHOD), get(request, URI), get(request, QUERY))
          : Table.NO_ROW;
    }

    public static void onExit(
        @Param(2) Object response,
        @OnEnterResult int row,
        @ThrownException Throwable thrown) {
      --states.get().depth;
      if (!Table.shouldIgnoreRow(row)) end(row, get(response, STATUS), thrown);
    }
  }

  /**
   * Handlers of the JDK's server. Most are lambda expressions, whose bodies are methods; under the
   * agent, the server's own chain is seen.
   */
  @MethodPattern({
    "*:handle(com.sun.net.httpserver.HttpExchange)",
    "*:lambda$*(com.sun.net.httpserver.HttpExchange)",
    "com.sun.net.httpserver.Filter$Chain:doFilter(com.sun.net.httpserver.HttpExchange)"
  })
  public static final class Handler {
    public static int onEnter(
        @ClassRef Class<?> type, @MethodName String method, @Param(1) Object exchange) {
      return enter(type, method)
          ? begin(type, get(exchange, EXCHANGE_METHOD), get(exchange, URI), null)
          : Table.NO_ROW;
    }

    public static void onExit(
        @Param(1) Object exchange,
        @OnEnterResult int row,
        @ThrownException Throwable thrown) {
      --states.get().depth;
      if (!Table.shouldIgnoreRow(row)) end(row, get(exchange, EXCHANGE_STATUS), thrown);
    }
  }
}
