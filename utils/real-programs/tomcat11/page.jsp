<%@ page contentType="text/plain; charset=UTF-8" session="true" %><%!
  private int twice(int n) { return 2 * n; }
%>n = ${param.n} <% for (int i = 0; i < Integer.parseInt(request.getParameter("n")); ++i) { %>[<%= twice(i) %>]<% } %>
EL: ${1 + 2 * 3} ${empty param.none} ${'x'.concat('y')} ${[3, 1, 2].stream().sorted().toList()}
visits: ${sessionScope.visits}<% session.setAttribute("visits", 1); %>
