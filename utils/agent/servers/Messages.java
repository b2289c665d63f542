//===- Messages.java - Requests to a message broker ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

import java.io.Closeable;
import java.io.IOException;
import javax.jms.*;
import org.apache.activemq.ActiveMQConnectionFactory;

/** A message is sent to a queue of this thread's own, and received again. */
public class Messages implements Client.Caller, Closeable {
  private final Connection connection;
  private final Session session;
  private final MessageProducer out;
  private final MessageConsumer in;

  public Messages(String address) throws JMSException {
    connection = new ActiveMQConnectionFactory(address).createConnection();
    connection.start();
    session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
    Queue queue = session.createTemporaryQueue();
    out = session.createProducer(queue);
    out.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
    in = session.createConsumer(queue);
  }
  @Override public String ask(int number) throws JMSException {
    out.send(session.createTextMessage("200 order " + number + " of customer" + number % 7));
    TextMessage answer = (TextMessage) in.receive(60_000);
    return answer == null ? "nothing in 60 s" : answer.getText();
  }
  @Override public void close() throws IOException {
    try {
      connection.close();
    } catch (JMSException e) {
      throw new IOException(e);
    }
  }
}
