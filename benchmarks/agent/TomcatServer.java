//===- benchmarks/agent/TomcatServer.java - acceptors and pollers ----------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

import jakarta.servlet.http.*;
import java.nio.file.Files;
import java.util.function.LongSupplier;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** A Tomcat that is asked. */
public final class TomcatServer {
  private TomcatServer() {}

  static final class Answer extends HttpServlet {
    private static final long serialVersionUID = 1;
    @Override protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws java.io.IOException {
      response.getOutputStream().write("served".getBytes());
    }
  }

  public static LongSupplier start() throws Exception {
    Tomcat t = new Tomcat();
    t.setBaseDir(Files.createTempDirectory("tomcat").toString());
    t.setPort(0);
    t.getConnector().setProperty("maxKeepAliveRequests", "-1");
    Context c = t.addContext("", null);
    Tomcat.addServlet(c, "answer", new Answer());
    c.addServletMappingDecoded("/", "answer");
    t.start();
    return Asking.threads(t.getConnector().getLocalPort());
  }
}
