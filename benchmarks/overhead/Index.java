//===- benchmarks/overhead/Index.java - Lucene indexes and searches -===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
import java.util.Random;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;

/** Indexes made-up documents in memory and counts words in them. */
public final class Index {
  public static void main(String[] args) throws Exception {
    ByteBuffersDirectory folder = new ByteBuffersDirectory();
    IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer());
    Random random = new Random(7);
    try (IndexWriter writer = new IndexWriter(folder, config)) {
      for (int i = 0; i < 20000; i++) {
        StringBuilder text = new StringBuilder();
        for (int w = 0; w < 60; w++)
          text.append("word").append(random.nextInt(5000)).append(' ');
        Document document = new Document();
        document.add(new TextField("text", text.toString(), Field.Store.NO));
        writer.addDocument(document);
      }
    }
    long found = 0;
    try (DirectoryReader reader = DirectoryReader.open(folder)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      for (int w = 0; w < 5000; w++)
        found += searcher.count(new TermQuery(new Term("text", "word" + w)));
    }
    System.out.println(found);
  }
}
