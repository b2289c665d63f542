import java.io.IOException;
import java.util.EnumSet;
import javax.servlet.*;
import javax.servlet.http.*;
import org.eclipse.jetty.server.*;
import org.eclipse.jetty.servlet.*;

/** A servlet behind a filter. */
public class Servlets {
  public static class Shop extends HttpServlet {
    @Override protected void service(HttpServletRequest request, HttpServletResponse response) {
      response.setStatus(request.getRequestURI().endsWith("3") ? 404 : 200);
      Served.log.add(request.getMethod() + "|" + request.getRequestURI() + "?" + request.getQueryString() + "|" + response.getStatus() + "|Servlets$Shop");
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
    context.addServlet(Shop.class, "/*");
    context.addFilter(Through.class, "/*", EnumSet.of(DispatcherType.REQUEST));
    server.setHandler(context);
    server.start();
    return connector.getLocalPort();
  }
}
