import java.nio.file.Path;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.VectorUtil;
import real.Rounds;

/** An index of Lucene in files: text, numbers, vectors; written, merged and searched. */
public class Program {
  private static final String[] WORDS = ("probe class method field stack frame verifier loader"
      + " agent attach trace coverage branch loop handler monitor").split(" ");
  private static int rounds;

  private static void search(StringBuilder text, IndexSearcher searcher, Query query, Sort sort)
      throws Exception {
    var found = sort == null ? searcher.search(query, 5) : searcher.search(query, 5, sort);
    text.append(query.toString().replaceAll("\\[.*?\\]", "")).append(": ")
        .append(found.totalHits.value());
    for (var hit : found.scoreDocs) {
      text.append(' ').append(searcher.storedFields().document(hit.doc).get("id"));
    }
    text.append('\n');
  }

  private static String round() throws Exception {
    var text = new StringBuilder();
    var analyzer = new EnglishAnalyzer();
    try (var directory = FSDirectory.open(Path.of("index" + ++rounds))) {
      var config = new IndexWriterConfig(analyzer).setMaxBufferedDocs(100)
          .setMergeScheduler(new SerialMergeScheduler());
      try (var writer = new IndexWriter(directory, config)) {
        for (int i = 0; i < 2000; ++i) {
          var words = new StringBuilder();
          for (int j = 0; j < 12; ++j) {
            words.append(WORDS[(i * 31 + j * j * 7 + i / 13) % WORDS.length]).append("s ");
          }
          var document = new Document();
          document.add(new StringField("id", "d" + i, Field.Store.YES));
          document.add(new TextField("text", words.toString(), Field.Store.YES));
          document.add(new IntPoint("size", i % 97));
          document.add(new NumericDocValuesField("order", i % 97));
          document.add(new KnnFloatVectorField("near", new float[] {i % 10, i % 7, i % 3, 1}));
          writer.addDocument(document);
        }
        writer.commit();
        writer.forceMerge(1);
      }
      try (var reader = DirectoryReader.open(directory)) {
        var searcher = new IndexSearcher(reader);
        var parser = new QueryParser("text", analyzer);
        for (String query : new String[] {"probes AND verifier", "\"class method\"~3", "attach -loop",
            "trac* AND handler", "covrage~1", "loader^3 frame"}) {
          search(text, searcher, parser.parse(query), null);
        }
        search(text, searcher, IntPoint.newRangeQuery("size", 10, 20),
            new Sort(new SortField("order", SortField.Type.LONG, true), SortField.FIELD_DOC));
        search(text, searcher, new KnnFloatVectorQuery("near", new float[] {3, 3, 1, 1}, 5), null);
        text.append(VectorUtil.dotProduct(new float[] {1, 2, 3}, new float[] {4, 5, 6})).append('\n');
      }
    }
    return text.toString();
  }

  public static void main(String[] args) throws Exception {
    Rounds.run(Program::round);
  }
}
