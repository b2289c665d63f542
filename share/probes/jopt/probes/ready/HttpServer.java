// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.ready;

import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import jopt.probes.*;
import jopt.probes.ready.shared.*;

/**
 * Requests that a program answers: by servlets, of either package, by the JDK's own server, by
 * Netty and what stands on it, and by Helidon. A request passes through filters and servlets that
 * forward it, is answered by other threads later, and may be given to what shows errors; it is one
 * row. The types of servers are in no class path of this one, so they are reached by reflection.
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

  /** The rows of requests that other threads will answer. */
  private static final ObjectRowIndexMap<Object> waiting = new ObjectRowIndexMap<>();

  /** The rows of requests that failed, for which the server may ask others for an answer. */
  private static final ObjectRowIndexMap<Object> failed = new ObjectRowIndexMap<>();

  private static Getter getter(String name) {
    return new Getter(name, "javax.servlet.", "jakarta.servlet.", "com.sun.net.httpserver.");
  }

  private static final Getter method = getter("getMethod");
  private static final Getter uri = getter("getRequestURI");
  private static final Getter query = getter("getQueryString");
  private static final Getter status = getter("getStatus");
  private static final Getter dispatcher = getter("getDispatcherType");
  private static final Getter isAsync = getter("isAsyncStarted");
  private static final Getter asyncContext = getter("getAsyncContext");
  private static final Getter wrapped = getter("getRequest");
  private static final Getter serverRequest =
      new Getter("getRequest", "org.apache.catalina.connector.", "org.eclipse.jetty.server.");
  private static final Getter serverResponse =
      new Getter("getResponse", "org.eclipse.jetty.server.");
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

  private static int code(Object status) {
    return status instanceof Integer ? (Integer) status : -1;
  }

  private static void end(int row, int status, Throwable thrown) {
    // The JDK's server says -1 before an answer has begun; a failure is made one later.
    int least = thrown == null ? 1 : 400;
    if (status >= least) requests.status.setValue(row, status);
    requests.closeRow(row, thrown);
  }

  /** What the server made: filters hand on requests that wrap it. */
  private static Object root(Object request) {
    for (Object inner; (inner = wrapped.get(request)) != null; ) request = inner;
    return request;
  }

  /** The row of a request that the server gives to a servlet again. */
  private static int rowAgain(Object request) {
    String type = dispatcher.text(request);
    boolean isError = "ERROR".equals(type);
    if (!isError && !"ASYNC".equals(type)) return Table.NO_ROW;
    Object root = root(request);
    int row = waiting.get(root);
    return isError && Table.shouldIgnoreRow(row) ? failed.get(root) : row;
  }

  private static int beginServlet(Class<?> type, Object request) {
    int row = rowAgain(request);
    if (Table.shouldIgnoreRow(row)) {
      return begin(type, method.get(request), uri.get(request), query.get(request));
    }
    nesting.setRow("ERROR".equals(dispatcher.text(request)) ? Table.NO_ROW : row);
    return row;
  }

  private static void endServlet(int row, Object request, Object response, Throwable thrown) {
    Object root = root(request);
    if (Boolean.TRUE.equals(isAsync.get(request))) {
      if (thrown != null) requests.setEventTableRowException(row, thrown);
      waiting.put(root, row); // it may be complete at once
      if (new Answer(root, response).await(asyncContext.get(request))) return;
      waiting.remove(root);
    }
    if (waiting.get(root) == row) {
      if (thrown != null) requests.setEventTableRowException(row, thrown);
      return;
    }
    int code = code(status.get(response));
    if (failed.remove(root) == row) {
      if (code > 0) requests.status.setValue(row, code);
      return;
    }
    end(row, code, thrown);
    if (thrown != null || code >= 400) failed.put(root, row);
  }

  /** The end of a request that other threads answer. */
  private static final class Answer extends Completion {
    private final Object request;
    private final Object response;

    Answer(Object request, Object response) {
      this.request = request;
      this.response = response;
    }

    @Override
    protected void completed() {
      int row = waiting.remove(request);
      if (!Table.shouldIgnoreRow(row)) end(row, code(status.get(response)), null);
    }

    @Override
    protected void failed(Throwable thrown) {
      requests.setEventTableRowException(waiting.get(request), thrown);
    }
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
      return enter(type, method) ? beginServlet(type, request) : Table.NO_ROW;
    }

    public static void onExit(
        @Param(1) Object request,
        @Param(2) Object response,
        @OnEnterResult int row,
        @ThrownException Throwable thrown) {
      nesting.leave();
      if (!Table.shouldIgnoreRow(row)) endServlet(row, request, response, thrown);
    }
  }

  private static void answered(Object request, Object response) {
    int row = failed.remove(root(request));
    int code = code(status.get(response));
    if (code > 0) requests.status.setValue(row, code);
  }

  /** Where Tomcat has decided how a request that failed is answered. */
  @MethodPattern({
    "org.apache.catalina.core.StandardHostValve:invoke(org.apache.catalina.connector.Request, "
        + "org.apache.catalina.connector.Response)"
  })
  public static final class AnswerOfTomcat {
    public static void onExit(@Param(1) Object request, @Param(2) Object response) {
      answered(serverRequest.get(request), response);
    }
  }

  /** The same of Jetty before 12. */
  @MethodPattern({"org.eclipse.jetty.server.HttpChannel:handleException(java.lang.Throwable)"})
  public static final class AnswerOfJetty {
    public static void onExit(@This Object channel) {
      answered(serverRequest.get(channel), serverResponse.get(channel));
    }
  }

  private static final Getter jettyRequest =
      new Getter("getServletContextRequest", "org.eclipse.jetty.ee");
  private static final Getter ofServlets = new Getter("getServletApiRequest", "org.eclipse.jetty.ee");
  private static final Getter jettyResponse =
      new Getter("getServletContextResponse", "org.eclipse.jetty.ee");
  private static final Getter jettyStatus = new Getter("getStatus", "org.eclipse.jetty.server.");

  /** Where a request to Jetty 12 has its answer. */
  @MethodPattern({"org.eclipse.jetty.ee*.servlet.ServletChannel:onCompleted()"})
  public static final class AnswerOfJetty12 {
    public static void onEnter(@This Object channel) {
      int row = failed.remove(root(ofServlets.get(jettyRequest.get(channel))));
      int code = code(jettyStatus.get(jettyResponse.get(channel)));
      if (code > 0) requests.status.setValue(row, code);
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
      if (!Table.shouldIgnoreRow(row)) end(row, code(exchangeStatus.get(exchange)), thrown);
    }
  }

  private static final String NETTY = "io.netty.handler.codec.http.";
  private static final Getter channel = new Getter("channel", "io.netty.channel.");
  private static final Getter nettyMethod = new Getter("method", NETTY);
  private static final Getter nettyUri = new Getter("uri", NETTY);
  private static final Getter nettyStatus = new Getter("status", NETTY);
  private static final Getter nettyCode = new Getter("code", NETTY);
  private static final Getter trailers = new Getter("trailingHeaders", NETTY);
  private static final Getter nettyHeaders = new Getter("headers", NETTY);

  /** Of each connection of Netty the rows that wait for their answers, which come in that order. */
  private static final WeakKeyMap<Object, Deque<Integer>> connections = new WeakKeyMap<>();

  /** Requests that Netty reads. */
  @MethodPattern({
    NETTY + "HttpObjectDecoder:decode(io.netty.channel.ChannelHandlerContext, "
        + "io.netty.buffer.ByteBuf, java.util.List)"
  })
  public static final class ReadByNetty {
    public static int onEnter(@Param(3) List<?> read) {
      return read.size();
    }

    public static void onExit(
        @Param(1) Object context, @Param(3) List<?> read, @OnEnterResult int before) {
      for (int i = before; i < read.size(); i++) {
        Object method = nettyMethod.get(read.get(i));
        if (method == null) continue; // a part of a body, or an answer to a client
        int row = requests.createRow();
        requests.method.setValue(row, method.toString());
        requests.url.setValue(row, url(nettyUri.get(read.get(i)), null));
        Object of = channel.get(context);
        Deque<Integer> rows = connections.get(of);
        if (rows == null) connections.put(of, rows = new ConcurrentLinkedDeque<>());
        rows.add(row);
      }
    }
  }

  /** Answers that it writes. */
  @MethodPattern({
    NETTY + "HttpObjectEncoder:encode(io.netty.channel.ChannelHandlerContext, Object, "
        + "java.util.List)"
  })
  public static final class WrittenByNetty {
    public static void onEnter(@Param(1) Object context, @Param(2) Object part) {
      Deque<Integer> rows = connections.get(channel.get(context));
      Integer row = rows == null ? null : rows.peek();
      if (row == null) return; // a client's
      int code = code(nettyCode.get(nettyStatus.get(part)));
      if (code >= 100 && code < 200 && code != 101) return; // the answer is still to come
      if (code == 101 && String.valueOf(nettyHeaders.text(part)).contains("h2c")) {
        rowsOfStreams(channel.get(context)).put(1, rows.remove()); // answered there
        return;
      }
      if (code > 0) requests.status.setValue(row, code);
      if (trailers.get(part) != null) requests.closeRow(rows.remove());
    }
  }

  /** Connections that end without an answer. */
  @MethodPattern({NETTY + "HttpObjectDecoder:decodeLast(*)"})
  public static final class ClosedByNetty {
    public static void onExit(@Param(1) Object context) {
      Deque<Integer> rows = connections.remove(channel.get(context));
      for (Integer row; rows != null && (row = rows.poll()) != null; ) requests.closeRow(row);
    }
  }

  private static final String NETTY2 = "io.netty.handler.codec.http2.";
  private static final String CONTEXT = "io.netty.channel.ChannelHandlerContext, ";
  private static final String PROMISE = ", io.netty.channel.ChannelPromise)";
  private static final Getter pathOf2 = new Getter("path", NETTY2);
  private static final Getter methodOf2 = new Getter("method", NETTY2);
  private static final Getter statusOf2 = new Getter("status", NETTY2);

  /** Of each connection of HTTP/2 the rows of its streams. */
  private static final WeakKeyMap<Object, Map<Integer, Integer>> streams = new WeakKeyMap<>();

  private static Map<Integer, Integer> rowsOfStreams(Object channel) {
    Map<Integer, Integer> rows = streams.get(channel);
    if (rows == null) streams.put(channel, rows = new ConcurrentHashMap<>());
    return rows;
  }

  private static void write(Object context, int stream, Object headers, boolean ends) {
    Map<Integer, Integer> rows = streams.get(channel.get(context));
    Integer row = rows == null ? null : rows.get(stream);
    if (row == null) return; // a client's
    String status = statusOf2.text(headers);
    // What begins with 1 comes before the answer.
    if (status != null && status.length() == 3 && status.charAt(0) != '1') {
      requests.status.setValue(row, Integer.parseInt(status));
    }
    if (ends && rows.remove(stream) != null) requests.closeRow(row);
  }

  /** Requests of HTTP/2 that Netty reads: of gRPC, too. */
  @MethodPattern({
    NETTY2 + "DefaultHttp2ConnectionDecoder$FrameReadListener:onHeadersRead(" + CONTEXT + "int, "
        + NETTY2 + "Http2Headers, int, short, boolean, int, boolean)"
  })
  public static final class ReadByNetty2 {
    public static void onEnter(
        @Param(1) Object context, @Param(2) int stream, @Param(3) Object headers) {
      String method = methodOf2.text(headers);
      if (method == null) return; // an answer to a client, or what follows a body
      int row = requests.createRow();
      requests.method.setValue(row, method);
      requests.url.setValue(row, url(pathOf2.get(headers), null));
      rowsOfStreams(channel.get(context)).put(stream, row);
    }
  }

  /** The head of an answer. */
  @MethodPattern({
    NETTY2 + "DefaultHttp2ConnectionEncoder:writeHeaders(" + CONTEXT + "int, " + NETTY2
        + "Http2Headers, int, boolean" + PROMISE
  })
  public static final class HeadByNetty2 {
    public static void onEnter(
        @Param(1) Object context,
        @Param(2) int stream,
        @Param(3) Object headers,
        @Param(5) boolean ends) {
      write(context, stream, headers, ends);
    }
  }

  /** The same with a priority. */
  @MethodPattern({
    NETTY2 + "DefaultHttp2ConnectionEncoder:writeHeaders(" + CONTEXT + "int, " + NETTY2
        + "Http2Headers, int, short, boolean, int, boolean" + PROMISE
  })
  public static final class WeightedHeadByNetty2 {
    public static void onEnter(
        @Param(1) Object context,
        @Param(2) int stream,
        @Param(3) Object headers,
        @Param(8) boolean ends) {
      write(context, stream, headers, ends);
    }
  }

  /** Its body. */
  @MethodPattern({
    NETTY2 + "DefaultHttp2ConnectionEncoder:writeData(" + CONTEXT
        + "int, io.netty.buffer.ByteBuf, int, boolean" + PROMISE
  })
  public static final class BodyByNetty2 {
    public static void onEnter(
        @Param(1) Object context, @Param(2) int stream, @Param(5) boolean ends) {
      write(context, stream, null, ends);
    }
  }

  /** A stream that is given up. */
  @MethodPattern({NETTY2 + "DefaultHttp2ConnectionEncoder:writeRstStream(*)"})
  public static final class ResetByNetty2 {
    public static void onEnter(@Param(1) Object context, @Param(2) int stream) {
      write(context, stream, null, true);
    }
  }

  /** A connection that ends. */
  @MethodPattern({NETTY2 + "Http2ConnectionHandler:channelInactive(*)"})
  public static final class ClosedByNetty2 {
    public static void onExit(@Param(1) Object context) {
      Map<Integer, Integer> rows = streams.remove(channel.get(context));
      if (rows != null) for (int row : rows.values()) requests.closeRow(row);
    }
  }

  private static Getter helidon(String name) {
    return new Getter(name, "io.helidon.");
  }

  private static final Getter prologue = helidon("prologue");
  private static final Getter helidonMethod = helidon("method");
  private static final Getter helidonPath = helidon("uriPath");
  private static final Getter rawPath = helidon("rawPath");
  private static final Getter helidonQuery = helidon("query");
  private static final Getter rawValue = helidon("rawValue");
  private static final Getter helidonStatus = helidon("status");
  private static final Getter helidonCode = helidon("code");

  /** Requests to Helidon 4, which a thread answers from beginning to end. */
  @MethodPattern({
    "*:route(io.helidon.webserver.ConnectionContext, io.helidon.webserver.http.RoutingRequest, "
        + "io.helidon.webserver.http.RoutingResponse)"
  })
  public static final class Route {
    public static int onEnter(@This Object routing, @Param(2) Object request) {
      if (!nesting.enter()) return Table.NO_ROW;
      Object line = prologue.get(request);
      String query = rawValue.text(helidonQuery.get(line));
      return begin(
          routing.getClass(),
          helidonMethod.text(line),
          rawPath.get(helidonPath.get(line)),
          query == null || query.isEmpty() ? null : query);
    }

    public static void onExit(
        @Param(3) Object response,
        @OnEnterResult int row,
        @ThrownException Throwable thrown) {
      nesting.leave();
      if (!Table.shouldIgnoreRow(row)) {
        end(row, code(helidonCode.get(helidonStatus.get(response))), thrown);
      }
    }
  }
}
