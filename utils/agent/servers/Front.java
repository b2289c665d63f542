//===- Front.java - Lets an application answer requests --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package front;

import com.sun.net.httpserver.HttpServer;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** The JDK's own server in front of an application that another loader made. */
public class Front {
  public static void serve(Function<String, String> application) throws Exception {
    // It writes head and body one after the other, and would wait 40 ms for the client between them.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 200);
    server.setExecutor(Executors.newFixedThreadPool(16));
    server.createContext("/", exchange -> {
      String query = exchange.getRequestURI().getQuery();
      byte[] answer;
      int status = 200;
      try {
        answer = application.apply(query.substring(query.indexOf('=') + 1)).getBytes();
      } catch (Throwable t) {
        t.printStackTrace();
        answer = t.toString().getBytes();
        status = 500;
      }
      exchange.sendResponseHeaders(status, answer.length);
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(answer);
      }
    });
    server.start();
    System.out.println("address http://127.0.0.1:" + server.getAddress().getPort() + "/");
    System.out.flush();
  }
}
