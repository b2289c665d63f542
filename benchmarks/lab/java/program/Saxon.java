//===- benchmarks/lab/java/program/Saxon.java - a style sheet at work -----------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
package program;

import java.io.StringReader;
import java.io.StringWriter;
import javax.xml.transform.Templates;
import javax.xml.transform.TransformerException;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import net.sf.saxon.TransformerFactoryImpl;

/** program.Saxon TIMES: a document is grouped, sorted and printed by XSLT. */
public final class Saxon {
  private static final String SHEET =
      "<xsl:stylesheet version='2.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>" +
      "<xsl:template match='/shop'><report><xsl:for-each-group select='order' group-by='@customer'>" +
      "<xsl:sort select='sum(current-group()/item/@price)' data-type='number' order='descending'/>" +
      "<customer name='{current-grouping-key()}'><xsl:apply-templates select='current-group()'/>" +
      "</customer></xsl:for-each-group></report></xsl:template>" +
      "<xsl:template match='order[item]'><order id='{@id}' total='{sum(item/@price)}'>" +
      "<xsl:value-of select='string-join(item/upper-case(@name), \", \")'/></order></xsl:template>" +
      "<xsl:template match='order'/></xsl:stylesheet>";

  private Saxon() {}

  private static String document() {
    StringBuilder text = new StringBuilder("<shop>");
    for (int id = 0; id < 300; ++id) {
      text.append("<order id='").append(id).append("' customer='c").append(id * 7919 % 23).append("'>");
      for (int i = 0; i < id % 5; ++i)
        text.append("<item name='item").append(i).append("' price='").append(id * i % 97).append("'/>");
      text.append("</order>");
    }
    return text.append("</shop>").toString();
  }

  public static long run(String[] args) {
    long sum = 0;
    String document = document();
    try {
      Templates sheet =
          new TransformerFactoryImpl().newTemplates(new StreamSource(new StringReader(SHEET)));
      for (int i = Integer.parseInt(args[0]); i > 0; --i) {
        StringWriter out = new StringWriter();
        sheet.newTransformer().transform(new StreamSource(new StringReader(document)),
                                         new StreamResult(out));
        sum = sum * 31 + out.toString().hashCode();
      }
    } catch (TransformerException e) {
      throw new IllegalStateException(e);
    }
    return sum;
  }
}
