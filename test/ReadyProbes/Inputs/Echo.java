import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.*;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetSocketAddress;

/** A server of Netty. */
public class Echo {
  final NioEventLoopGroup accepts = new NioEventLoopGroup(1), works = new NioEventLoopGroup(4);
  final Channel listening;

  Echo() throws Exception {
    listening = new ServerBootstrap().group(accepts, works).channel(NioServerSocketChannel.class).childHandler(new ChannelInitializer<Channel>() {
      @Override protected void initChannel(Channel c) {
        c.pipeline().addLast(new ChannelInboundHandlerAdapter() {
          @Override public void channelRead(ChannelHandlerContext context, Object bytes) { context.writeAndFlush(bytes); }
        });
      }
    }).bind("127.0.0.1", 0).sync().channel();
  }

  public static Echo start() throws Exception { return new Echo(); }

  public int port() { return ((InetSocketAddress) listening.localAddress()).getPort(); }

  /** Channels that clients left are closed before the loops end. */
  public void stop() throws Exception {
    listening.close().sync();
    Quiet.await();
    accepts.shutdownGracefully(0, 5, java.util.concurrent.TimeUnit.SECONDS).sync();
    works.shutdownGracefully(0, 5, java.util.concurrent.TimeUnit.SECONDS).sync();
  }
}
