import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.TreeSet;

/** Echoes parameters and body; /hello?fail=1 throws. */
@WebServlet("/hello")
public class Hello extends HttpServlet {
  private static final long serialVersionUID = 1;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (request.getParameter("fail") != null)
      throw new IllegalStateException("as asked");
    response.setContentType("text/plain;charset=UTF-8");
    for (String name :
         new TreeSet<>(Collections.list(request.getParameterNames())))
      response.getWriter().println(name + "=" + request.getParameter(name));
  }

  @Override
  protected void doPost(HttpServletRequest request,
                        HttpServletResponse response) throws IOException {
    byte[] body = request.getInputStream().readAllBytes();
    response.getOutputStream().println("body of " + body.length + " bytes");
    doGet2(body, response);
  }

  private void doGet2(byte[] body, HttpServletResponse response)
      throws IOException {
    int sum = 0;
    for (byte b : body)
      sum = 31 * sum + b;
    response.getOutputStream().println("sum " + sum);
  }
}
