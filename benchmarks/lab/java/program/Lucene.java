//===- benchmarks/lab/java/program/Lucene.java - texts are indexed and searched ---===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
package program;

import java.io.IOException;
import java.util.Random;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;

/** program.Lucene DOCUMENTS: indexes made-up documents and counts words in them. */
public final class Lucene {
  private Lucene() {}

  public static long run(String[] args) throws IOException {
    ByteBuffersDirectory folder = new ByteBuffersDirectory();
    IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer());
    config.setMergeScheduler(new SerialMergeScheduler());
    Random random = new Random(7);
    try (IndexWriter writer = new IndexWriter(folder, config)) {
      for (int i = Integer.parseInt(args[0]); i > 0; --i) {
        StringBuilder text = new StringBuilder();
        for (int w = 0; w < 60; ++w)
          text.append("word").append(random.nextInt(3000)).append(' ');
        Document document = new Document();
        document.add(new TextField("text", text.toString(), Field.Store.NO));
        writer.addDocument(document);
      }
    }
    long found = 0;
    try (DirectoryReader reader = DirectoryReader.open(folder)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      for (int w = 0; w < 3000; ++w)
        found = found * 31 + searcher.count(new TermQuery(new Term("text", "word" + w)));
    }
    return found;
  }
}
