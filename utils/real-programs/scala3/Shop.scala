// Enums, givens, extensions, unions, opaque types, macros' inline parts, match types.
import scala.concurrent.{Await, Future}
import scala.concurrent.ExecutionContext.Implicits.global
import scala.concurrent.duration.*
import scala.util.Try

enum Expr:
  case Num(value: Double)
  case Add(left: Expr, right: Expr)
  case Mul(left: Expr, right: Expr)
  case Nothing0

opaque type Price = Int
object Price:
  def apply(cents: Int): Price = cents
  extension (p: Price) def plus(other: Price): Price = p + other

trait Show[A]:
  def show(a: A): String
given Show[Int] with
  def show(a: Int) = s"int $a"
given [A](using s: Show[A]): Show[List[A]] with
  def show(a: List[A]) = a.map(s.show).mkString("[", ", ", "]")

extension [A](a: A)(using s: Show[A]) def shown: String = s.show(a)

inline def power(x: Long, inline n: Int): Long =
  inline if n == 0 then 1L else x * power(x, n - 1)

type Elem[X] = X match
  case String => Char
  case List[t] => t

def first[X](x: X): Elem[X] = x match
  case s: String => s.charAt(0)
  case l: List[t] => l.head

def width(x: Int | String): Int = x match
  case n: Int => n
  case s: String => s.length

trait Named(val name: String):
  lazy val loud: String = name.toUpperCase

object Shop extends Named("shop"):
  def eval(e: Expr): Double = e match
    case Expr.Num(v) => v
    case Expr.Add(l, r) => eval(l) + eval(r)
    case Expr.Mul(Expr.Num(0), _) => 0
    case Expr.Mul(l, r) if l == r => math.pow(eval(l), 2)
    case Expr.Mul(l, r) => eval(l) * eval(r)
    case Expr.Nothing0 => throw IllegalStateException("nothing")

  @main def shop(): Unit =
    import Expr.*
    println(eval(Add(Num(2), Mul(Num(3), Num(3)))))
    println(Try(eval(Nothing0)).toEither.left.map(_.getMessage))
    lazy val primes: LazyList[Int] =
      2 #:: LazyList.from(3).filter(n => primes.takeWhile(p => p * p <= n).forall(n % _ != 0))
    println(primes.take(20).mkString(" "))
    val sums = Future.sequence((1 to 8).map(n => Future((1 to n * 1000).sum)))
    println(Await.result(sums, 60.seconds))
    println(List(1, 2, 3).shown + power(3, 5) + first("abc") + width("four") + loud)
    for i <- 1 to 3; j <- i to 3 if (i + j) % 2 == 0 do print(s"$i$j ")
    println(BigInt(7).pow(77).toString + f" ${math.Pi}%.4f")
