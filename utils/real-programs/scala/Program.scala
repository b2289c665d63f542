// Case classes, traits, pattern matching, lazy values, streams, futures.
import scala.collection.immutable.TreeMap
import scala.collection.mutable
import scala.concurrent.{Await, Future}
import scala.concurrent.ExecutionContext.Implicits.global
import scala.concurrent.duration._
import scala.util.{Failure, Success, Try}

sealed trait Expr
case class Num(value: Double) extends Expr
case class Add(left: Expr, right: Expr) extends Expr
case class Mul(left: Expr, right: Expr) extends Expr
case object Nothing0 extends Expr

trait Named { lazy val name: String = "named " + getClass.getSimpleName }

object Program extends App with Named {
  def eval(e: Expr): Double = e match {
    case Num(v)                 => v
    case Add(l, r)              => eval(l) + eval(r)
    case Mul(Num(0), _)         => 0
    case Mul(l, r) if l == r    => math.pow(eval(l), 2)
    case Mul(l, r)              => eval(l) * eval(r)
    case Nothing0               => throw new IllegalStateException("nothing")
  }
  println(eval(Add(Num(2), Mul(Num(3), Num(3)))))
  println(Try(eval(Nothing0)) match {
    case Success(v) => v
    case Failure(e) => e.getMessage
  })
  lazy val primes: Stream[Int] =
    2 #:: Stream.from(3).filter(n => primes.takeWhile(p => p * p <= n).forall(n % _ != 0))
  println(primes.take(20).mkString(" "))
  println(TreeMap("b" -> 1, "a" -> 2).map { case (k, v) => k * v }.toList)
  val sums = Future.sequence((1 to 8).map(n => Future((1 to n * 1000).sum)))
  println(Await.result(sums, 60.seconds))
  println(name)
  @annotation.tailrec def gcd(a: Long, b: Long): Long = if (b == 0) a else gcd(b, a % b)
  println(gcd(123456789012L, 987654321L))
  val words = "the cat and the dog and the bird".split(" ")
  println(words.groupBy(identity).mapValues(_.length).toSeq.sortBy(p => (-p._2, p._1)))
  val buffer = mutable.ArrayBuffer.empty[String]
  for (i <- 1 to 3; j <- i to 3 if (i + j) % 2 == 0) buffer += s"$i$j"
  println(buffer)
  println(BigInt(7).pow(77) + f" ${math.Pi}%.4f")
  val parse: PartialFunction[String, Int] = { case s if s.forall(_.isDigit) => s.toInt }
  println(Seq("1", "x", "33").collect(parse).par.map(_ + 1).toList)
  println(<a b="1"><c>{ words.length }</c></a>)
}
