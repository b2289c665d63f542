//===- Jetty.java - A server for try-servers ----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

import org.eclipse.jetty.server.*;
import org.eclipse.jetty.webapp.WebAppContext;

/** Jetty with one web application, whose classes are its own loader's. */
public class Jetty {
  public static void main(String[] args) throws Exception {
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    WebAppContext app = new WebAppContext(args[0], "/app");
    app.setConfigurationDiscovered(false);
    server.setHandler(app);
    server.start();
    System.out.println("address http://127.0.0.1:" + connector.getLocalPort() + "/app/sell");
    System.out.flush();
  }
}
