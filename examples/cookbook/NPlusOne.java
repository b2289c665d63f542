/** A page of orders asks for the customer of each order by itself. */
public class NPlusOne {
  static class Database {
    String query(String sql) {
      return "row of " + sql;
    }
  }

  private static final Database DATABASE = new Database();

  static void page() {
    DATABASE.query("select * from orders limit 20");
    for (int id = 0; id < 20; id++)
      customer(id);
  }

  static String customer(int id) {
    return DATABASE.query("select * from customers where id = " + id);
  }

  static void turn() {
    page();
  }
}
