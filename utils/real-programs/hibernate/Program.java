import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Version;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import real.Rounds;

/** Entities of Hibernate in H2: lazy proxies, queries, criteria, a rollback. */
public class Program {
  @Entity(name = "Shop")
  public static class Shop {
    @Id @GeneratedValue Long id;
    String name;
    @OneToMany(mappedBy = "shop", cascade = CascadeType.ALL)
    List<Sale> sales = new ArrayList<>();
    @Version int version;

    protected Shop() {}

    Shop(String name) {
      this.name = name;
    }

    public String getName() {
      return name;
    }
  }

  @Entity(name = "Sale")
  public static class Sale {
    @Id @GeneratedValue Long id;
    int price;
    @ManyToOne(fetch = FetchType.LAZY)
    Shop shop;

    protected Sale() {}

    Sale(int price, Shop shop) {
      this.price = price;
      this.shop = shop;
    }
  }

  private static String round(SessionFactory factory) {
    var text = new StringBuilder();
    factory.inTransaction(session -> {
      for (int i = 0; i < 10; ++i) {
        var shop = new Shop("shop" + i);
        for (int j = 0; j < 5; ++j) {
          shop.sales.add(new Sale(i * 10 + j, shop));
        }
        session.persist(shop);
      }
    });
    factory.inTransaction(session -> {
      for (Object[] row : session.createQuery("select s.shop.name, sum(s.price) from Sale s"
          + " where s.price > :low group by s.shop.name order by 1", Object[].class)
          .setParameter("low", 12).list()) {
        text.append(row[0]).append(' ').append(row[1]).append('\n');
      }
      Sale sale = session.createQuery("from Sale where price = 42", Sale.class).getSingleResult();
      text.append("proxy: " + (sale.shop.getClass() != Shop.class) + " " + sale.shop.getName() + "\n");
      sale.price = 43;
    });
    factory.inTransaction(session -> {
      var builder = session.getCriteriaBuilder();
      var query = builder.createQuery(Sale.class);
      var sale = query.from(Sale.class);
      query.where(builder.between(sale.get("price"), 40, 44)).orderBy(builder.asc(sale.get("price")));
      session.createSelectionQuery(query).list().forEach(s -> text.append(s.price).append(' '));
      text.append('\n');
    });
    try {
      factory.inTransaction(session -> {
        session.createMutationQuery("delete from Sale").executeUpdate();
        throw new IllegalStateException("rolled back");
      });
    } catch (IllegalStateException e) {
      text.append(e.getMessage()).append('\n');
    }
    factory.inTransaction(session -> {
      text.append("deleted " + session.createMutationQuery("delete from Sale").executeUpdate() + " "
          + session.createMutationQuery("delete from Shop").executeUpdate() + "\n");
    });
    return text.toString();
  }

  public static void main(String[] args) throws Exception {
    java.util.logging.LogManager.getLogManager().reset();
    try (SessionFactory factory = new Configuration().addAnnotatedClass(Shop.class)
        .addAnnotatedClass(Sale.class).setProperty("hibernate.connection.url", "jdbc:h2:mem:shop")
        .setProperty("hibernate.hbm2ddl.auto", "create-drop").buildSessionFactory()) {
      Rounds.run(() -> round(factory));
    }
  }
}
