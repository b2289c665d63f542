//===- benchmarks/agent/NettyServer.java - 50 event loops ------------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.*;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.*;
import java.net.InetSocketAddress;
import java.util.function.LongSupplier;

/** A server of netty with 50 event loops, which is asked. */
public final class NettyServer {
  private NettyServer() {}

  static final class Answer extends SimpleChannelInboundHandler<HttpRequest> {
    @Override protected void channelRead0(ChannelHandlerContext c, HttpRequest request) {
      FullHttpResponse r = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK,
          Unpooled.copiedBuffer("served".getBytes()));
      r.headers().set(HttpHeaderNames.CONTENT_LENGTH, 6);
      c.writeAndFlush(r);
    }
  }

  public static LongSupplier start() throws Exception {
    Channel c = new ServerBootstrap().group(new NioEventLoopGroup(1), new NioEventLoopGroup(50))
        .channel(NioServerSocketChannel.class)
        .childHandler(new ChannelInitializer<SocketChannel>() {
          @Override protected void initChannel(SocketChannel s) {
            s.pipeline().addLast(new HttpServerCodec(), new Answer());
          }
        }).bind("127.0.0.1", 0).sync().channel();
    return Asking.threads(((InetSocketAddress) c.localAddress()).getPort());
  }
}
