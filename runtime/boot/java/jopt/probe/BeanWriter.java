// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.ObjectName;

/**
 * A bean {@code jopt:type=Metrics}: an attribute for each number, which is {@code metric.number} or {@code
 * metric[key].number}. It has what is now.
 */
final class BeanWriter extends Writer {
  private final ObjectName name;

  BeanWriter(String where) throws IOException {
    super(where);
    try {
      name = new ObjectName("jopt:type=Metrics");
      ManagementFactory.getPlatformMBeanServer().registerMBean(new Bean(), name);
    } catch (JMException e) {
      throw new IOException(e.toString(), e);
    }
  }

  @Override
  void write(Samples s) {}

  @Override
  void close() {
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
    } catch (JMException e) {
      // Somebody else did.
    }
  }

  private static final class Bean implements DynamicMBean {
    private static AttributeList all() {
      AttributeList all = new AttributeList();
      for (Samples.Row row : Samples.take().rows)
        for (Map.Entry<String, Number> v : row.values.entrySet()) {
          String of = row.key == null ? row.metric : row.metric + "[" + row.key + "]";
          all.add(new Attribute(of + "." + v.getKey(), v.getValue()));
        }
      return all;
    }

    @Override
    public Object getAttribute(String name) throws AttributeNotFoundException {
      for (Attribute a : all().asList()) if (a.getName().equals(name)) return a.getValue();
      throw new AttributeNotFoundException(name);
    }

    @Override
    public AttributeList getAttributes(String[] names) {
      AttributeList found = new AttributeList();
      List<Attribute> all = all().asList();
      for (String name : names)
        for (Attribute a : all) if (a.getName().equals(name)) found.add(a);
      return found;
    }

    @Override
    public void setAttribute(Attribute to) throws AttributeNotFoundException {
      throw new AttributeNotFoundException(to.getName() + " can only be read");
    }

    @Override
    public AttributeList setAttributes(AttributeList to) {
      return new AttributeList();
    }

    @Override
    public Object invoke(String action, Object[] with, String[] types) {
      return null;
    }

    @Override
    public MBeanInfo getMBeanInfo() {
      List<MBeanAttributeInfo> infos = new ArrayList<>();
      for (Attribute a : all().asList())
        infos.add(
            new MBeanAttributeInfo(
                a.getName(), a.getValue().getClass().getName(), a.getName(), true, false, false));
      return new MBeanInfo(
          BeanWriter.class.getName(),
          "what probes measure",
          infos.toArray(new MBeanAttributeInfo[0]),
          null,
          null,
          null);
    }
  }
}
