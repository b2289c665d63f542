// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.ready;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import jopt.probes.*;
import jopt.probes.ready.shared.*;

/**
 * Sockets, of streams and of channels, from connect or accept to close, those that listen, and those
 * of datagrams; and each time that something is read or written.
 */
public final class Sockets {
  private Sockets() {}

  private static final class Registry extends MasterResourceRegistry<Object> {
    Registry() {
      super(new OpenTable<Object>(Sockets.class, "Socket", "Address"));
    }

    /** Those whose name is not clear from the call. */
    @Override
    protected String retrieveResourceName(Object socket) throws Exception {
      if (socket instanceof DatagramSocket) {
        return "datagrams at " + ((DatagramSocket) socket).getLocalSocketAddress();
      }
      if (socket instanceof DatagramChannel) {
        return "datagrams at " + ((DatagramChannel) socket).getLocalAddress();
      }
      if (socket instanceof ServerSocketChannel) {
        return "at " + ((ServerSocketChannel) socket).getLocalAddress();
      }
      if (socket instanceof AsynchronousServerSocketChannel) {
        return "at " + ((AsynchronousServerSocketChannel) socket).getLocalAddress();
      }
      if (socket instanceof AsynchronousSocketChannel) {
        return to(((AsynchronousSocketChannel) socket).getRemoteAddress());
      }
      if (socket instanceof ServerSocket) {
        return "at " + ((ServerSocket) socket).getLocalSocketAddress();
      }
      if (socket instanceof SocketChannel) return to(((SocketChannel) socket).getRemoteAddress());
      return to(((Socket) socket).getRemoteSocketAddress());
    }
  }

  private static final Registry sockets = new Registry();
  private static final TableLongBytes reads =
      new TableLongBytes(sockets, "Read", Settings.CALLS);
  private static final TableLongBytes writes =
      new TableLongBytes(sockets, "Write", Settings.CALLS);
  private static final Nesting nesting = new Nesting();

  /** Before Java 15 a DatagramSocket has no channel, and stands for itself. */
  private static final boolean HAVE_CHANNELS =
      Double.parseDouble(System.getProperty("java.specification.version")) >= 15;

  private static boolean isForChannel(Object socket) {
    return HAVE_CHANNELS && socket instanceof DatagramSocket;
  }

  private static String to(SocketAddress address) {
    return "to " + address;
  }

  private static int begin(Table table, Object socket) {
    return nesting.enter() ? table.createRow(sockets.getOrCreate(socket)) : Table.NO_ROW;
  }

  /** {@code bytes}: 0 if there was nothing to wait for, which is no row; less at the end. */
  private static void end(TableLongBytes table, int row, long bytes, Throwable thrown) {
    nesting.leave();
    if (Table.shouldIgnoreRow(row)) return;
    if (thrown == null && (bytes == 0 || bytes < -1)) {
      table.deleteRow(row);
      return;
    }
    if (thrown == null) table.setBytes(row, bytes);
    table.closeRow(row, thrown);
  }

  private static long count(Object result, long otherwise) {
    return result instanceof Number ? ((Number) result).longValue() : otherwise;
  }

  private static void opened(long since, Object socket, String name, Throwable thrown) {
    sockets.openOnExit(since, name, socket, thrown, FailedEventPolicy.RECORD);
  }

  /** Connections to others. A channel that does not wait is open before it is connected. */
  @MethodPattern({
    "java.net.Socket:connect(java.net.SocketAddress, int)",
    "sun.nio.ch.SocketChannelImpl:connect(java.net.SocketAddress)",
    "sun.nio.ch.SocketChannelImpl:blockingConnect(java.net.SocketAddress, *)"
  })
  public static final class Connect {
    public static long onEnter() {
      return nesting.enter() ? sockets.openOnEnter() : Long.MIN_VALUE;
    }

    public static void onExit(
        @This Object socket,
        @Param(1) SocketAddress address,
        @OnEnterResult long since,
        @ThrownException Throwable thrown) {
      nesting.leave();
      if (since != Long.MIN_VALUE) opened(since, socket, to(address), thrown);
    }
  }

  /** The end of a connect that nobody waited for: where it fails, it closes the channel first. */
  @MethodPattern("sun.nio.ch.SocketChannelImpl:finishConnect()")
  public static final class FinishConnect {
    public static int onEnter(@This Object socket) {
      return sockets.get(socket);
    }

    public static void onUncaughtException(
        @OnEnterResult int row, @ThrownException Throwable thrown) {
      sockets.getResourceTable().setEventTableRowException(row, thrown);
    }
  }

  /** Connections from others. */
  @MethodPattern({
    "java.net.ServerSocket:accept()",
    "sun.nio.ch.ServerSocketChannelImpl:accept()",
    "sun.nio.ch.ServerSocketChannelImpl:blockingAccept(*)"
  })
  public static final class Accept {
    public static void onReturn(@ReturnValue Object socket) throws java.io.IOException {
      SocketAddress from = null;
      if (socket instanceof SocketChannel) from = ((SocketChannel) socket).getRemoteAddress();
      if (socket instanceof Socket) from = ((Socket) socket).getRemoteSocketAddress();
      // The time before was spent in waiting for somebody.
      if (socket != null) opened(sockets.openOnEnter(), socket, "from " + from, null);
    }
  }

  /** Sockets that listen, and those of datagrams that have an address. */
  @MethodPattern({
    "java.net.ServerSocket:bind(java.net.SocketAddress, int)",
    "sun.nio.ch.ServerSocketChannelImpl:bind(java.net.SocketAddress, int)",
    "sun.nio.ch.AsynchronousServerSocketChannelImpl:bind(java.net.SocketAddress, int)",
    "sun.nio.ch.DatagramChannelImpl:bind(java.net.SocketAddress)",
    "java.net.DatagramSocket:bind(java.net.SocketAddress)"
  })
  public static final class Bind {
    public static long onEnter() {
      return sockets.openOnEnter();
    }

    public static void onExit(
        @This Object socket,
        @Param(1) SocketAddress address,
        @OnEnterResult long since,
        @ThrownException Throwable thrown) {
      if (isForChannel(socket)) return;
      // A port of 0 is another one by now.
      opened(since, socket, thrown == null ? null : "at " + address, thrown);
    }
  }

  /** The end of any of them. */
  @MethodPattern({
    "java.net.Socket:close()",
    "java.net.ServerSocket:close()",
    "sun.nio.ch.SocketChannelImpl:implCloseSelectableChannel()",
    "sun.nio.ch.ServerSocketChannelImpl:implCloseSelectableChannel()",
    "sun.nio.ch.DatagramChannelImpl:implCloseSelectableChannel()",
    "java.net.DatagramSocket:close()",
    "sun.nio.ch.UnixAsynchronousSocketChannelImpl:implClose()",
    "sun.nio.ch.UnixAsynchronousServerSocketChannelImpl:implClose()"
  })
  public static final class Close {
    public static int onEnter(@This Object socket) {
      return sockets.closeOnEnter(socket);
    }

    public static void onExit(@OnEnterResult int row, @ThrownException Throwable thrown) {
      sockets.closeOnExit(row, thrown);
    }
  }

  /** A stream stands for its socket. */
  @MethodPattern({"java.net.Socket:getInputStream()", "java.net.Socket:getOutputStream()"})
  public static final class Stream {
    public static void onReturn(@This Object socket, @ReturnValue Object stream) {
      if (Table.shouldIgnoreRow(sockets.get(stream))) {
        sockets.getOrCreate(socket);
        sockets.mapAlias(socket, stream);
      }
    }
  }

  /** Streams that are read; before Java 13 they are no nested classes. */
  @MethodPattern({
    "java.net.Socket$SocketInputStream:read(byte[], int, int)",
    "java.net.SocketInputStream:read(byte[], int, int)"
  })
  public static final class ReadStream {
    public static int onEnter(@This Object stream) {
      return nesting.enter() ? reads.createRow(sockets.get(stream)) : Table.NO_ROW;
    }

    public static void onExit(
        @OnEnterResult int row, @ReturnValue int bytes, @ThrownException Throwable thrown) {
      end(reads, row, bytes, thrown);
    }
  }

  /** Streams that are written. */
  @MethodPattern({
    "java.net.Socket$SocketOutputStream:write(byte[], int, int)",
    "java.net.SocketOutputStream:socketWrite(byte[], int, int)"
  })
  public static final class WriteStream {
    public static int onEnter(@This Object stream) {
      return nesting.enter() ? writes.createRow(sockets.get(stream)) : Table.NO_ROW;
    }

    public static void onExit(
        @OnEnterResult int row, @Param(3) int bytes, @ThrownException Throwable thrown) {
      end(writes, row, bytes, thrown);
    }
  }

  /** Channels that are read. */
  @MethodPattern({
    "sun.nio.ch.SocketChannelImpl:read(*)",
    "sun.nio.ch.SocketChannelImpl:blockingRead(*)",
    "sun.nio.ch.DatagramChannelImpl:read(*)",
    "sun.nio.ch.DatagramChannelImpl:receive(java.nio.ByteBuffer, boolean)",
    "sun.nio.ch.DatagramChannelImpl:receive(java.io.FileDescriptor, java.nio.ByteBuffer)"
  })
  public static final class Read {
    public static int onEnter(@This Object channel) {
      return begin(reads, channel);
    }

    public static void onExit(
        @OnEnterResult int row, @ReturnValue Object bytes, @ThrownException Throwable thrown) {
      end(reads, row, count(bytes, 0), thrown);
    }
  }

  /** Sockets of datagrams that have no channel, and read. */
  @MethodPattern("java.net.DatagramSocket:receive(java.net.DatagramPacket)")
  public static final class Receive {
    public static int onEnter(@This Object socket) {
      return isForChannel(socket) ? OTHERS : begin(reads, socket);
    }

    public static void onExit(
        @Param(1) DatagramPacket packet,
        @OnEnterResult int row,
        @ThrownException Throwable thrown) {
      if (row != OTHERS) end(reads, row, packet.getLength(), thrown);
    }
  }

  /** Channels that are written, and sockets of datagrams that have none. */
  @MethodPattern({
    "sun.nio.ch.SocketChannelImpl:write(*)",
    "sun.nio.ch.SocketChannelImpl:blockingWriteFully(*)",
    "sun.nio.ch.DatagramChannelImpl:write(*)",
    "sun.nio.ch.DatagramChannelImpl:send(*)",
    "sun.nio.ch.DatagramChannelImpl:blockingSend(*)",
    "java.net.DatagramSocket:send(java.net.DatagramPacket)"
  })
  public static final class Write {
    public static int onEnter(@This Object channel) {
      return isForChannel(channel) ? OTHERS : begin(writes, channel);
    }

    public static void onExit(
        @Param(1) Object what,
        @Param(3) int length,
        @OnEnterResult int row,
        @ReturnValue Object bytes,
        @ThrownException Throwable thrown) {
      if (row == OTHERS) return;
      long given = length;
      if (what instanceof DatagramPacket) given = ((DatagramPacket) what).getLength();
      if (what instanceof ByteBuffer) given = ((ByteBuffer) what).position();
      end(writes, row, count(bytes, given), thrown);
    }
  }

  /** The row of the asynchronous channel that this thread connects, and tells if that fails. */
  private static final ThreadLocal<int[]> connecting =
      new ThreadLocal<int[]>() {
        @Override
        protected int[] initialValue() {
          return new int[] {Table.NO_ROW};
        }
      };

  /** Connections of asynchronous channels. Another thread may end it before this returns. */
  @MethodPattern(
      "sun.nio.ch.UnixAsynchronousSocketChannelImpl:implConnect(java.net.SocketAddress, *)")
  public static final class ConnectLater {
    public static void onEnter(@This Object channel, @Param(1) SocketAddress address) {
      if (Table.shouldIgnoreRow(sockets.get(channel))) {
        opened(sockets.openOnEnter(), channel, to(address), null);
      }
      connecting.get()[0] = sockets.get(channel);
    }

    public static void onExit() {
      connecting.get()[0] = Table.NO_ROW;
    }
  }

  /** Their ends. */
  @MethodPattern("sun.nio.ch.UnixAsynchronousSocketChannelImpl:finishConnect(boolean)")
  public static final class FinishConnectLater {
    public static void onEnter(@This Object channel) {
      connecting.get()[0] = sockets.get(channel);
    }

    public static void onExit() {
      connecting.get()[0] = Table.NO_ROW;
    }
  }

  /** What the connection that this thread makes ends with; the channel is closed then. */
  private static void connected(Throwable failure) {
    int row = connecting.get()[0];
    if (Table.shouldIgnoreRow(row)) return;
    connecting.get()[0] = Table.NO_ROW;
    sockets.getResourceTable().setEventTableRowException(row, failure);
  }

  /** Connections that end for who has a future of them. */
  @MethodPattern({
    "sun.nio.ch.PendingFuture:setResult(Object, java.lang.Throwable)",
    "sun.nio.ch.CompletedFuture:withResult(Object, java.lang.Throwable)"
  })
  public static final class ToFuture {
    public static void onEnter(@Param(2) Throwable failure) {
      connected(failure);
    }
  }

  /** For who is called. */
  @MethodPattern("sun.nio.ch.Invoker:invokeUnchecked(*, Object, Object, java.lang.Throwable)")
  public static final class ToHandler {
    public static void onEnter(@Param(4) Throwable failure) {
      connected(failure);
    }
  }

  /** The same, by another thread. */
  @MethodPattern({
    "sun.nio.ch.Invoker:invoke(*, *, Object, Object, java.lang.Throwable)",
    "sun.nio.ch.Invoker:invokeIndirectly(*, *, Object, Object, java.lang.Throwable)"
  })
  public static final class ToHandlerLater {
    public static void onEnter(@Param(5) Throwable failure) {
      connected(failure);
    }
  }

  /** Connections from others that an asynchronous channel accepts. */
  @MethodPattern(
      "sun.nio.ch.UnixAsynchronousServerSocketChannelImpl:finishAccept("
          + "java.io.FileDescriptor, java.net.InetSocketAddress, *)")
  public static final class AcceptLater {
    public static void onReturn(@Param(2) Object from, @ReturnValue Object channel) {
      if (channel != null) opened(sockets.openOnEnter(), channel, "from " + from, null);
    }
  }

  /** The asynchronous channel for which this thread is about to ask the system. */
  private static final ThreadLocal<Object[]> asking =
      new ThreadLocal<Object[]>() {
        @Override
        protected Object[] initialValue() {
          return new Object[1];
        }
      };

  /** Asynchronous channels that are read or written, when that is asked for or can be done. */
  @MethodPattern({
    "sun.nio.ch.UnixAsynchronousSocketChannelImpl:implRead(*)",
    "sun.nio.ch.UnixAsynchronousSocketChannelImpl:finishRead(boolean)",
    "sun.nio.ch.UnixAsynchronousSocketChannelImpl:implWrite(*)",
    "sun.nio.ch.UnixAsynchronousSocketChannelImpl:finishWrite(boolean)"
  })
  public static final class Ask {
    public static void onEnter(@This Object channel) {
      asking.get()[0] = channel;
    }

    public static void onExit() {
      asking.get()[0] = null;
    }
  }

  /** Begins the row of the channel that asks the system, once; OTHERS if there is none. */
  private static int ask(Table table) {
    Object[] channel = asking.get();
    if (channel[0] == null) return OTHERS;
    int row = begin(table, channel[0]);
    channel[0] = null;
    return row;
  }

  private static final int OTHERS = Integer.MIN_VALUE;

  /** What they read. */
  @MethodPattern("sun.nio.ch.IOUtil:read(java.io.FileDescriptor, *)")
  public static final class ReadLater {
    public static int onEnter() {
      return ask(reads);
    }

    public static void onExit(
        @OnEnterResult int row, @ReturnValue Object bytes, @ThrownException Throwable thrown) {
      if (row != OTHERS) end(reads, row, count(bytes, 0), thrown);
    }
  }

  /** What they write. */
  @MethodPattern("sun.nio.ch.IOUtil:write(java.io.FileDescriptor, *)")
  public static final class WriteLater {
    public static int onEnter() {
      return ask(writes);
    }

    public static void onExit(
        @OnEnterResult int row, @ReturnValue Object bytes, @ThrownException Throwable thrown) {
      if (row != OTHERS) end(writes, row, count(bytes, 0), thrown);
    }
  }
}
