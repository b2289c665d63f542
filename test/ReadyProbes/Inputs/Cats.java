import jakarta.servlet.*;
import jakarta.servlet.http.*;
import java.io.IOException;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.*;

/** Servlets behind a filter in Tomcat: one answers, one has another answer, one fails. */
public class Cats {
  static void said(HttpServletRequest request, Object status, Class<?> by) {
    Served.log.add(request.getMethod() + "|" + request.getRequestURI() + "?" + request.getQueryString() + "|" + status + "|" + by.getName());
  }

  public static class Shop extends HttpServlet {
    @Override protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
      String path = request.getRequestURI();
      if (path.endsWith("5")) {
        request.getRequestDispatcher("/other").forward(request, response);
        return;
      }
      if (path.endsWith("7")) {
        said(request, "failed 500", getClass());
        throw new ServletException("as it must");
      }
      if (path.endsWith("8") && request.getDispatcherType() == DispatcherType.ASYNC) {
        response.setStatus(203);
        said(request, 203, getClass());
        return;
      }
      if (path.endsWith("1") || path.endsWith("8") || path.endsWith("9")) {
        later(request, path.charAt(path.length() - 1));
        return;
      }
      response.setStatus(path.endsWith("3") ? 404 : 200);
      said(request, response.getStatus(), getClass());
    }
  }

  /** Another thread completes it, dispatches it again, or throws in what it dispatched. */
  static void later(HttpServletRequest request, char how) {
    AsyncContext context = request.startAsync();
    String asked = request.getMethod() + "|" + request.getRequestURI() + "?" + request.getQueryString();
    new Thread(() -> {
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        return;
      }
      if (how == '8') {
        context.dispatch();
      } else if (how == '9') {
        context.dispatch("/fails");
      } else {
        ((HttpServletResponse) context.getResponse()).setStatus(503);
        Served.log.add(asked + "|503|" + Shop.class.getName());
        context.complete();
      }
    }).start();
  }

  /** It fails when another thread has dispatched a request to it; what shows errors is asked then. */
  public static class Fails extends HttpServlet {
    @Override protected void service(HttpServletRequest request, HttpServletResponse response) {
      Served.log.add(request.getMethod() + "|" + request.getAttribute("asked") + "|failed 500|Cats$Fails");
      throw new IllegalStateException("as it must");
    }
  }

  public static class Other extends HttpServlet {
    @Override protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
      response.sendError(410);
      Served.log.add("GET|" + request.getAttribute("asked") + "|410|Cats$Other");
    }

    @Override protected void doDelete(HttpServletRequest request, HttpServletResponse response) {
      response.setStatus(202);
      Served.log.add("DELETE|" + request.getAttribute("asked") + "|202|Cats$Other");
    }
  }

  public static class Through implements Filter {
    @Override public void init(FilterConfig config) {}
    @Override public void destroy() {}
    @Override public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) throws IOException, ServletException {
      HttpServletRequest http = (HttpServletRequest) request;
      request.setAttribute("asked", http.getRequestURI() + "?" + http.getQueryString());
      chain.doFilter(request, response);
    }
  }

  public static int start() throws Exception {
    java.util.logging.LogManager.getLogManager().reset();
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir("tomcat");
    tomcat.setHostname("127.0.0.1");
    tomcat.setPort(0);
    Context context = tomcat.addContext("", new java.io.File(".").getAbsolutePath());
    Tomcat.addServlet(context, "shop", Shop.class.getName()).setAsyncSupported(true);
    Tomcat.addServlet(context, "fails", Fails.class.getName()).setAsyncSupported(true);
    context.addServletMappingDecoded("/fails", "fails");
    Tomcat.addServlet(context, "other", Other.class.getName());
    context.addServletMappingDecoded("/*", "shop");
    context.addServletMappingDecoded("/other", "other");
    FilterDef filter = new FilterDef();
    filter.setFilterName("through");
    filter.setFilterClass(Through.class.getName());
    context.addFilterDef(filter);
    filter.setAsyncSupported("true");
    FilterMap map = new FilterMap();
    map.setFilterName("through");
    map.addURLPattern("/*");
    context.addFilterMap(map);
    tomcat.getConnector();
    tomcat.start();
    return tomcat.getConnector().getLocalPort();
  }
}
