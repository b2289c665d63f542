//===- benchmarks/lab/java/program/Jackson.java - objects to JSON and back ------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
package program;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** program.Jackson TIMES: orders are written as JSON, and read as objects and as a tree. */
public final class Jackson {
  public static final class Order {
    public int id;
    public String customer;
    public double total;
    public List<Item> items = new ArrayList<>();
    public Map<String, String> notes = new LinkedHashMap<>();
  }

  public static final class Item {
    public String name;
    public int count;
    public boolean gift;
  }

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Jackson() {}

  private static Order make(int id) {
    Order order = new Order();
    order.id = id;
    order.customer = "customer " + id % 17;
    for (int i = 0; i < id % 9; ++i) {
      Item item = new Item();
      item.name = "item \"" + i + "\"";
      item.count = id % (i + 1);
      item.gift = i % 2 == 0;
      order.items.add(item);
      order.total += item.count * 1.5;
      order.notes.put("note" + i, "line\n" + i);
    }
    return order;
  }

  public static long run(String[] args) {
    long sum = 0;
    try {
      for (int i = Integer.parseInt(args[0]); i > 0; --i) {
        byte[] text = MAPPER.writeValueAsBytes(make(i));
        Order order = MAPPER.readValue(text, Order.class);
        JsonNode tree = MAPPER.readTree(text);
        sum = sum * 31 + text.length + order.items.size() + tree.path("items").size();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return sum;
  }
}
