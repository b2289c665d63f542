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
        said(request, "failed", getClass());
        throw new ServletException("as it must");
      }
      response.setStatus(path.endsWith("3") ? 404 : 200);
      said(request, response.getStatus(), getClass());
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
    Tomcat.addServlet(context, "shop", Shop.class.getName());
    Tomcat.addServlet(context, "other", Other.class.getName());
    context.addServletMappingDecoded("/*", "shop");
    context.addServletMappingDecoded("/other", "other");
    FilterDef filter = new FilterDef();
    filter.setFilterName("through");
    filter.setFilterClass(Through.class.getName());
    context.addFilterDef(filter);
    FilterMap map = new FilterMap();
    map.setFilterName("through");
    map.addURLPattern("/*");
    context.addFilterMap(map);
    tomcat.getConnector();
    tomcat.start();
    return tomcat.getConnector().getLocalPort();
  }
}
