// Data and sealed classes, inline functions, sequences, coroutines, delegates.
import kotlin.properties.Delegates
import kotlin.reflect.KProperty

sealed class Shape
data class Circle(val radius: Double) : Shape()
data class Box(val width: Double, val height: Double = width) : Shape()
object Empty : Shape()

fun area(shape: Shape): Double = when (shape) {
    is Circle -> Math.PI * shape.radius * shape.radius
    is Box -> shape.width * shape.height
    Empty -> 0.0
}

class Upper {
    operator fun getValue(owner: Any?, property: KProperty<*>) = property.name.toUpperCase()
}

inline fun <reified T> List<*>.only(): List<T> = filter { it is T }.map { it as T }

fun primes() = sequence {
    var n = 2
    while (true) {
        if ((2 until n).none { n % it == 0 }) yield(n)
        n++
    }
}

interface Source { fun next(): Int }
class Fixed(private val n: Int) : Source { override fun next() = n }
class Wrapped(source: Source) : Source by source

inline fun <T> guarded(what: String, action: () -> T): T? = try {
    action()
} catch (e: IllegalArgumentException) {
    println("$what: ${e.message}")
    null
} finally {
    println("left $what")
}

tailrec fun digits(n: Long, sum: Long = 0): Long =
    if (n == 0L) sum else digits(n / 10, sum + n % 10)

enum class Planet(val mass: Double) {
    EARTH(5.97), MARS(0.642) { override fun weight() = "light" };
    open fun weight() = "heavy"
}

fun main() {
    println(listOf(Circle(1.0), Box(2.0), Empty).map { "%.3f".format(area(it)) })
    val shouted by Upper()
    println(shouted)
    println(listOf(1, "a", 2.5, "b").only<String>())
    println(primes().take(15).toList())
    println(Wrapped(Fixed(7)).next())
    println(guarded("first") { 42 })
    println(guarded("second") { require(false) { "refused" }; 1 })
    println(digits(9876543210L))
    println(Planet.values().associate { it.name to it.weight() })
    var observed: Int by Delegates.observable(0) { _, old, new -> println("$old -> $new") }
    observed = 3
    val text = buildString { for (c in 'a'..'k' step 2) append(c) }
    println(text.windowed(3).joinToString())
    println("x=1;y=22".split(';').map { it.split('=') }.associate { (k, v) -> k to v.toInt() })
    outer@ for (i in 1..5) {
        for (j in 1..5) {
            if (i * j == 12) { println("$i*$j"); break@outer }
        }
    }
    println((1..1000).asSequence().filter { it % 7 == 0 }.groupingBy { it % 10 }.eachCount().toSortedMap())
}
