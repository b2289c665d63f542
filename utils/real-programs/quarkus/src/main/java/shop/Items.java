package shop;

import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import java.util.List;
import java.util.Map;

/** Items, in JSON: on workers, on the event loop, in transactions. */
@Path("/items")
public class Items {
  @Inject Till till;

  @GET
  public List<Item> items(@QueryParam("below") int below) {
    return till.below(below);
  }

  @GET
  @Path("{id}")
  public Item item(@PathParam("id") long id) {
    Item item = till.find(id);
    if (item == null) {
      throw new NotFoundException();
    }
    return item;
  }

  @GET
  @Path("later")
  public Uni<Map<String, Integer>> later() {
    return Uni.createFrom().item(Map.of("later", 42));
  }

  @POST
  public int add(Item item) {
    till.add(item);
    return till.remove(item.id);
  }

  @ApplicationScoped
  public static class Till {
    @Inject EntityManager entities;

    @Transactional
    void fill() {
      for (long i = 1; i <= 20; ++i) {
        Item item = new Item();
        item.id = i;
        item.name = "item" + i;
        item.price = (int) i * 10;
        entities.persist(item);
      }
    }

    List<Item> below(int price) {
      return entities.createQuery("from Item where price < :p and id <= 20 order by id", Item.class)
          .setParameter("p", price).getResultList();
    }

    Item find(long id) {
      return entities.find(Item.class, id);
    }

    @Transactional
    void add(Item item) {
      entities.persist(item);
      if (item.price < 0) {
        throw new IllegalArgumentException("a price below zero");
      }
    }

    @Transactional
    int remove(long id) {
      return entities.createQuery("delete from Item where id = :id").setParameter("id", id)
          .executeUpdate();
    }
  }
}
