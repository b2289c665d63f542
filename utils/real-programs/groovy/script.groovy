// Closures, builders, categories, traits, exceptions, regular expressions.
import groovy.transform.*

@ToString @EqualsAndHashCode @Sortable(includes = ['name', 'age'])
class Person { String name; int age }

trait Greets { String greet() { "hello, ${who()}" } }
class World implements Greets { String who() { 'world' } }

enum Level { LOW, MIDDLE, HIGH; Level up() { next() } }

def people = [['b', 3], ['a', 5], ['a', 2]].collect {
  new Person(name: it[0], age: it[1])
}
println people.sort()
println people.groupBy { it.name }.collectEntries { k, v -> [k, v*.age.sum()] }
println new World().greet()
println Level.values()*.up()

def fib
fib = { n -> n < 2 ? n : fib(n - 1) + fib(n - 2) }
println((0..15).collect { fib(it) })

try {
  [1, 2].get(7)
} catch (IndexOutOfBoundsException e) {
  println e.class.simpleName
} finally {
  println 'finally'
}
try {
  'text'.noSuchMethod(1)
} catch (MissingMethodException e) {
  println e.method
}
println(('a1b22c333' =~ /[a-z](\d+)/).collect { it[1] as long }.sum())
def writer = new StringWriter()
new groovy.xml.MarkupBuilder(writer).list(size: 2) {
  item('x'); item(id: 7, 'y')
}
println writer
def big = 2G ** 100
println big
println(1.10 + 2.205)
@CompileStatic
long sum(List<Integer> list) { long s = 0; for (int i : list) s += i; s }
println sum([1, 2, 3])
println new GroovyShell().evaluate('(1..10).inject(1) { a, b -> a * b }')
println([3, 1, 2].toSorted { a, b -> b <=> a }.join('-'))
def oneByOne = System.getenv('JOPT_ONE_BY_ONE')
def threads = (1..4).collect { n ->
  def thread = Thread.start { Thread.sleep(n); fib(12) }
  if (oneByOne) thread.join()
  thread
}
threads*.join()
println 'done'
