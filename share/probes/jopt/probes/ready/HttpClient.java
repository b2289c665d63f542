// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.ready;

import java.net.HttpURLConnection;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import jopt.probes.*;
import jopt.probes.ready.shared.*;

/** Requests that a program sends, by {@code java.net.http} or {@code HttpURLConnection}. */
public final class HttpClient {
  private HttpClient() {}

  private static final class Requests extends CallTable {
    final StringColumn method = new StringColumn("Method");
    final StringColumn url = new StringColumn("URL");
    final IntColumn status = new IntColumn("Status");

    Requests() {
      super(HttpClient.class, "HTTP Client Request", Settings.CALLS);
    }
  }

  private static final Requests requests = new Requests();

  private static int begin(String method, Object url) {
    int row = requests.createRow();
    requests.method.setValue(row, method);
    requests.url.setValue(row, url == null ? null : Settings.url(url.toString()));
    return row;
  }

  private static final Getter method = new Getter("method", "java.net.http.HttpRequest");
  private static final Getter uri = new Getter("uri", "java.net.http.HttpRequest");
  private static final Getter status = new Getter("statusCode", "java.net.http.HttpResponse");

  private static void end(int row, Object response, Throwable thrown) {
    Object code = status.get(response);
    if (code instanceof Integer) requests.status.setValue(row, (Integer) code);
    requests.closeRow(row, thrown);
  }

  /** Closes the row of a request that is answered, or is not. */
  private static final class Answer implements BiConsumer<Object, Throwable> {
    private final int row;

    Answer(int row) {
      this.row = row;
    }

    @Override
    public void accept(Object response, Throwable thrown) {
      end(row, response, thrown);
    }
  }

  private static final Nesting nesting = new Nesting();

  /** {@code java.net.http}, where the program waits for the answer; it calls the one below. */
  @MethodPattern("jdk.internal.net.http.HttpClientImpl:send(*)")
  public static final class SendSince11 {
    public static int onEnter(@Param(1) Object request) {
      return nesting.enter() ? begin(method.text(request), uri.get(request)) : Table.NO_ROW;
    }

    public static void onExit(
        @OnEnterResult int row, @ReturnValue Object response, @ThrownException Throwable thrown) {
      nesting.leave();
      end(row, response, thrown);
    }
  }

  /** {@code java.net.http}, where it does not. */
  @MethodPattern(
      "jdk.internal.net.http.HttpClientImpl:sendAsync(java.net.http.HttpRequest,"
          + " java.net.http.HttpResponse$BodyHandler,"
          + " java.net.http.HttpResponse$PushPromiseHandler, java.util.concurrent.Executor)")
  public static final class SendAsyncSince11 {
    public static int onEnter(@Param(1) Object request) {
      return nesting.enter() ? begin(method.text(request), uri.get(request)) : Table.NO_ROW;
    }

    public static void onExit(
        @OnEnterResult int row,
        @ReturnValue CompletableFuture<?> answer,
        @ThrownException Throwable thrown) {
      nesting.leave();
      if (Table.shouldIgnoreRow(row)) return;
      if (answer == null) end(row, null, thrown);
      else answer.whenComplete(new Answer(row));
    }
  }

  /** A connection that has sent no request, or has no answer yet: its row, and the status so far. */
  private static final WeakKeyMap<Object, int[]> waiting = new WeakKeyMap<>();

  private static final ObjectSet<Object> answered = new ObjectSet<>();

  /** {@code HttpURLConnection}: whatever sends the request. */
  @MethodPattern({
    "sun.net.www.protocol.http.HttpURLConnection:connect()",
    "sun.net.www.protocol.http.HttpURLConnection:getOutputStream()",
    "sun.net.www.protocol.http.HttpURLConnection:getInputStream()"
  })
  public static final class Connection {
    public static boolean onEnter(@This Object object) {
      if (!nesting.enter()) return false;
      // Code behind the answer calls this method again.
      if (answered.contains(object)) return false;
      if (!waiting.containsKey(object)) {
        int row = begin(null, ((HttpURLConnection) object).getURL());
        waiting.put(object, new int[] {row, 0});
      }
      return true;
    }

    public static void onExit(
        @This Object object,
        @MethodName String called,
        @OnEnterResult boolean counts,
        @ThrownException Throwable thrown) {
      nesting.leave();
      int[] state = counts ? waiting.get(object) : null;
      if (state == null) return;
      int row = state[0];
      // A request with a body becomes a POST.
      requests.method.setValue(row, ((HttpURLConnection) object).getRequestMethod());
      if (thrown == null && !called.equals("getInputStream")) return;
      waiting.remove(object);
      answered.add(object);
      if (state[1] > 0) requests.status.setValue(row, state[1]);
      // It throws as well where the answer is an error.
      requests.closeRow(row, state[1] > 0 ? null : thrown);
    }
  }

  /** Asked for by what reads the answer; a redirection has one of its own, and the last one counts. */
  @MethodPattern("java.net.HttpURLConnection:getResponseCode()")
  public static final class Code {
    public static void onReturn(@This Object object, @ReturnValue int code) {
      int[] state = waiting.get(object);
      if (state != null) state[1] = code;
    }
  }
}
