/** A cache that hardly ever has what it is asked for. */
public class CacheHits {
  static class Cache {
    private final java.util.Map<String, String> values = new java.util.HashMap<>();

    String get(String key) {
      return values.get(key);
    }

    void put(String key, String value) {
      values.put(key, value);
      if (values.size() > 3)
        values.clear();
    }
  }

  private static final Cache CACHE = new Cache();

  static void turn() {
    for (int i = 0; i < 9; i++)
      if (CACHE.get("user" + i * i % 7) == null)
        CACHE.put("user" + i * i % 7, "name");
  }
}
