// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.ready;

import jopt.probes.*;
import jopt.probes.ready.shared.*;

/**
 * Requests that a program answers: by servlets, of either package, and by the JDK's own server. A
 * request passes through filters and servlets that forward it; it is one row. The types of servers
 * are in no class path of this one, so they are reached by reflection.
 */
public final class HttpServer {
  private HttpServer() {}

  private static final class Requests extends CallTable {
    final StringColumn method = new StringColumn("Method");
    final StringColumn url = new StringColumn("URL");
    final IntColumn status = new IntColumn("Status");
    final ClassNameColumn handler = new ClassNameColumn("Handler");

    Requests() {
      super(HttpServer.class, "HTTP Request", Settings.CALLS);
    }
  }

  private static final Requests requests = new Requests();

  /** Of each thread the depth of calls, and the row of the outermost one. */
  private static final Nesting nesting = new Nesting();

  private static Getter getter(String name) {
    return new Getter(name, "javax.servlet.", "jakarta.servlet.", "com.sun.net.httpserver.");
  }

  private static final Getter method = getter("getMethod");
  private static final Getter uri = getter("getRequestURI");
  private static final Getter query = getter("getQueryString");
  private static final Getter status = getter("getStatus");
  private static final Getter exchangeMethod = getter("getRequestMethod");
  private static final Getter exchangeStatus = getter("getResponseCode");

  private static String url(Object path, Object query) {
    if (path == null) return null;
    return Settings.url(query == null ? path.toString() : path + "?" + query);
  }

  /** Is this call the first of a request? If not, {@code handler} is nearer to its answer. */
  private static boolean enter(Class<?> handler, String method) {
    if (nesting.enter()) return true;
    if (!method.equals("doFilter")) requests.handler.setValue(nesting.row(), handler);
    return false;
  }

  private static int begin(Class<?> handler, Object method, Object path, Object query) {
    int row = requests.createRow();
    nesting.setRow(row);
    requests.method.setValue(row, (String) method);
    requests.url.setValue(row, url(path, query));
    requests.handler.setValue(row, handler);
    return row;
  }

  private static void end(int row, Object status, Throwable thrown) {
    // The JDK's server says -1 before an answer has begun; a failure is made one later.
    int least = thrown == null ? 1 : 400;
    if (status instanceof Integer && (Integer) status >= least) {
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
          ? begin(type, HttpServer.method.get(request), uri.get(request), query.get(request))
          : Table.NO_ROW;
    }

    public static void onExit(
        @Param(2) Object response,
        @OnEnterResult int row,
        @ThrownException Throwable thrown) {
      nesting.leave();
      if (!Table.shouldIgnoreRow(row)) end(row, status.get(response), thrown);
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
          ? begin(type, exchangeMethod.get(exchange), uri.get(exchange), null)
          : Table.NO_ROW;
    }

    public static void onExit(
        @Param(1) Object exchange,
        @OnEnterResult int row,
        @ThrownException Throwable thrown) {
      nesting.leave();
      if (!Table.shouldIgnoreRow(row)) end(row, exchangeStatus.get(exchange), thrown);
    }
  }
}
