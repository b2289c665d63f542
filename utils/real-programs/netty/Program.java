import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpContentCompressor;
import io.netty.handler.codec.http.HttpContentDecompressor;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import real.Rounds;

/** A server and a client of HTTP by Netty, over its native epoll. */
public class Program {
  static class Echo extends SimpleChannelInboundHandler<FullHttpRequest> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
      String text = request.method() + " " + request.uri() + " "
          + request.content().toString(StandardCharsets.UTF_8).length();
      var answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1,
          request.uri().equals("/none") ? HttpResponseStatus.NOT_FOUND : HttpResponseStatus.OK,
          Unpooled.copiedBuffer(text.repeat(20), StandardCharsets.UTF_8));
      answer.headers().set("content-length", answer.content().readableBytes());
      context.writeAndFlush(answer);
    }
  }

  static class Answers extends SimpleChannelInboundHandler<FullHttpResponse> {
    final BlockingQueue<String> queue = new ArrayBlockingQueue<>(1000);

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpResponse answer) {
      queue.add(answer.status() + " " + answer.content().toString(StandardCharsets.UTF_8));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      queue.add(cause.toString());
    }
  }

  private static String round(MultiThreadIoEventLoopGroup group, Channel server) throws Exception {
    var text = new StringBuilder();
    for (int link = 0; link < 3; ++link) {
      var answers = new Answers();
      Channel channel = new Bootstrap().group(group).channel(EpollSocketChannel.class)
          .handler(new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel c) {
              c.pipeline().addLast(new HttpClientCodec(), new HttpContentDecompressor(0),
                  new HttpObjectAggregator(1 << 20), answers);
            }
          }).connect(server.localAddress()).sync().channel();
      for (int i = 0; i < 200; ++i) {
        String path = i % 50 == 7 ? "/none" : "/" + i % 10;
        var request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1,
            i % 3 == 0 ? HttpMethod.POST : HttpMethod.GET, path,
            Unpooled.copiedBuffer("x".repeat(i * 100), StandardCharsets.UTF_8));
        request.headers().set("content-length", request.content().readableBytes());
        request.headers().set("accept-encoding", i % 2 == 0 ? "gzip" : "identity");
        channel.writeAndFlush(request);
        String answer = answers.queue.poll(60, TimeUnit.SECONDS);
        if (i % 20 == 7) {
          text.append(answer).append('\n');
        }
      }
      channel.close().sync();
    }
    return text.toString();
  }

  public static void main(String[] args) throws Exception {
    Epoll.ensureAvailability();
    var group = new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());
    Channel server = new ServerBootstrap().group(group).channel(EpollServerSocketChannel.class)
        .childHandler(new ChannelInitializer<Channel>() {
          @Override
          protected void initChannel(Channel c) {
            c.pipeline().addLast(new HttpServerCodec(), new HttpContentCompressor(0),
                new HttpObjectAggregator(1 << 20), new Echo());
          }
        }).bind("127.0.0.1", 0).sync().channel();
    Rounds.run(() -> round(group, server));
    server.close().sync();
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
  }
}
