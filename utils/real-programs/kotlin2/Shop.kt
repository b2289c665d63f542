// Sealed and value classes, context, sequences, delegates, inline functions, when with guards.
import kotlin.properties.Delegates
import kotlin.reflect.KProperty
import kotlin.time.Duration.Companion.seconds

sealed interface Shape
data class Circle(val radius: Double) : Shape
data class Box(val width: Double, val height: Double = width) : Shape
data object Empty : Shape

@JvmInline value class Price(val cents: Int) {
    operator fun plus(other: Price) = Price(cents + other.cents)
}

fun area(shape: Shape): Double = when (shape) {
    is Circle if shape.radius == 0.0 -> 0.0
    is Circle -> Math.PI * shape.radius * shape.radius
    is Box -> shape.width * shape.height
    Empty -> 0.0
}

class Upper {
    operator fun getValue(owner: Any?, property: KProperty<*>) = property.name.uppercase()
}

inline fun <reified T> List<*>.only(): List<T> = filter { it is T }.map { it as T }

fun primes() = sequence {
    var n = 2
    while (true) {
        if ((2 until n).none { n % it == 0 }) yield(n)
        n++
    }
}

suspend fun later(n: Int): Int = if (n == 0) 0 else n + later(n - 1)

tailrec fun digits(n: Long, sum: Long = 0): Long = if (n == 0L) sum else digits(n / 10, sum + n % 10)

enum class Planet(val mass: Double) {
    EARTH(5.97), MARS(0.642) { override fun weight() = "light" };
    open fun weight() = "heavy"
}

inline fun <T> guarded(what: String, action: () -> T): T? = try {
    action()
} catch (e: IllegalArgumentException) {
    println("$what: ${e.message}")
    null
} finally {
    println("left $what")
}

fun main() {
    val shouted by Upper()
    println(listOf(Circle(1.0), Box(2.0), Empty).map(::area) to shouted)
    println(listOf(1, "a", 2.5, "b").only<String>() + primes().take(15).toList())
    println(guarded("second") { require(false) { "refused" }; 1 })
    println(Price(3) + Price(digits(9876543210L).toInt()))
    println(Planet.entries.associate { it.name to it.weight() })
    var observed: Int by Delegates.observable(0) { _, old, new -> println("$old -> $new") }
    observed = 3
    run { listOf(1, 2, 3).forEach { if (it == 2) return@run; println(it) } }
    println(90.seconds)
}
