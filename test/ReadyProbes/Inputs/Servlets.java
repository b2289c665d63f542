import java.io.IOException;
import java.util.EnumSet;
import javax.servlet.*;
import javax.servlet.http.*;
import org.eclipse.jetty.server.*;
import org.eclipse.jetty.servlet.*;

/** A servlet behind a filter. */
public class Servlets {
  public static class Shop extends HttpServlet {
    @Override protected void service(HttpServletRequest request, HttpServletResponse response) throws ServletException {
      String path = request.getRequestURI();
      if (path.endsWith("7")) {
        said(request, "failed 500");
        throw new ServletException("as it must");
      }
      if (path.endsWith("8") && request.getDispatcherType() == DispatcherType.ASYNC) {
        response.setStatus(203);
        said(request, 203);
        return;
      }
      if (path.endsWith("1") || path.endsWith("8")) {
        later(request, path.endsWith("8"));
        return;
      }
      response.setStatus(request.getRequestURI().endsWith("3") ? 404 : 200);
      said(request, response.getStatus());
    }

    private static void said(HttpServletRequest request, Object status) {
      Served.log.add(request.getMethod() + "|" + request.getRequestURI() + "?" + request.getQueryString() + "|" + status + "|Servlets$Shop");
    }

    /** Another thread completes it, or dispatches it again. */
    private static void later(HttpServletRequest request, boolean again) {
      AsyncContext context = request.startAsync();
      String asked = request.getMethod() + "|" + request.getRequestURI() + "?" + request.getQueryString();
      new Thread(() -> {
        try {
          Thread.sleep(20);
        } catch (InterruptedException e) {
          return;
        }
        if (again) {
          context.dispatch();
          return;
        }
        ((HttpServletResponse) context.getResponse()).setStatus(503);
        Served.log.add(asked + "|503|Servlets$Shop");
        context.complete();
      }).start();
    }
  }

  public static class Through implements Filter {
    @Override public void init(FilterConfig config) {}
    @Override public void destroy() {}
    @Override public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) throws IOException, ServletException {
      chain.doFilter(request, response);
    }
  }

  public static int start() throws Exception {
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler();
    context.addServlet(Shop.class, "/*").setAsyncSupported(true);
    context.addFilter(Through.class, "/*", EnumSet.of(DispatcherType.REQUEST)).setAsyncSupported(true);
    server.setHandler(context);
    server.start();
    return connector.getLocalPort();
  }
}
