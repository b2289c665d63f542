import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import real.Rounds;

/** Spark SQL in one JVM: joins, windows and aggregates, by generated code. */
public class Program {
  private static void show(StringBuilder text, Dataset<Row> rows) {
    for (Row row : rows.collectAsList()) {
      text.append(row).append('\n');
    }
  }

  private static String round(SparkSession spark) {
    var text = new StringBuilder();
    spark.range(0, 5000, 1, 4).selectExpr("id", "id % 17 as shop", "(id * 7919) % 1000 as price")
        .createOrReplaceTempView("sale");
    spark.range(0, 17, 1, 1).selectExpr("id as shop", "concat('shop', id) as name")
        .createOrReplaceTempView("shop");
    for (String query : List.of(
        "select name, count(*), sum(price), max(price) from sale join shop using (shop)"
            + " group by name order by name",
        "select * from (select id, shop, price, row_number() over (partition by shop order by price"
            + " desc, id) n from sale) where n <= 2 order by shop, n",
        "select percentile_approx(price, 0.5), stddev(price) > 1, count(distinct price % 10)"
            + " from sale where price > 10",
        "select upper(substring(name, 1, 3)), to_json(named_struct('a', shop)) from shop"
            + " where name like '%1_' order by shop")) {
      show(text, spark.sql(query));
    }
    return text.toString();
  }

  public static void main(String[] args) throws Exception {
    SparkSession spark = SparkSession.builder().master("local[2]").config("spark.ui.enabled", false)
        .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", 3).getOrCreate();
    Rounds.run(() -> round(spark));
    spark.stop();
  }
}
