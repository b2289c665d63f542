import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.*;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.*;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** A server of Netty that answers at once, in parts, or later, and sometimes by closing the connection. */
public class Netties {
  static class Shop extends SimpleChannelInboundHandler<HttpRequest> {
    @Override protected void channelRead0(ChannelHandlerContext context, HttpRequest request) {
      String path = request.uri().substring(0, request.uri().indexOf('?'));
      if (path.endsWith("7")) {
        said(request, "");
        context.close();
      } else if (path.endsWith("1")) {
        said(request, "503");
        context.executor().schedule(() -> context.writeAndFlush(full(503)), 20, TimeUnit.MILLISECONDS);
      } else if (path.endsWith("5")) {
        said(request, "202");
        context.write(full(100));
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.ACCEPTED);
        HttpUtil.setTransferEncodingChunked(head, true);
        context.write(head);
        context.write(new DefaultHttpContent(Unpooled.copiedBuffer("served", StandardCharsets.US_ASCII)));
        context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
      } else {
        int status = path.endsWith("3") ? 404 : 200;
        said(request, "" + status);
        context.writeAndFlush(full(status));
      }
    }

    private static FullHttpResponse full(int status) {
      FullHttpResponse all = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status));
      if (status >= 200) HttpUtil.setContentLength(all, 0);
      return all;
    }

    private static void said(HttpRequest request, String status) {
      Served.log.add(request.method() + "|" + request.uri() + "|" + status + "|");
    }
  }

  public static int start() throws Exception {
    Channel listening = new ServerBootstrap().group(new NioEventLoopGroup(1), new NioEventLoopGroup(4)).channel(NioServerSocketChannel.class)
        .childHandler(new ChannelInitializer<Channel>() {
          @Override protected void initChannel(Channel c) { c.pipeline().addLast(new HttpServerCodec(), new Shop()); }
        }).bind("127.0.0.1", 0).sync().channel();
    return ((InetSocketAddress) listening.localAddress()).getPort();
  }
}
