# Blocks, exceptions, fibers, threads, strings, the standard library.
require 'json'
require 'set'
require 'stringio'
require 'digest'
require 'erb'

Point = Struct.new(:x, :y) do
  include Comparable
  def <=>(other)
    [x, y] <=> [other.x, other.y]
  end
end

module Shouts
  def shout
    "#{self}!"
  end
end

class String
  include Shouts
end

puts [Point.new(2, 1), Point.new(1, 5)].min.inspect
puts 'hey'.shout
puts JSON.generate(JSON.parse('{"a": [1, 2.5, null, {"b": "c"}]}'))
puts (1..20).each_slice(6).map { |part| part.inject(:*) }.inspect
puts Digest::SHA256.hexdigest('jopt')
puts ERB.new('<% 3.times do |i| %><%= i %>,<% end %>').result

def risky(n)
  raise ArgumentError, "odd #{n}" if n.odd?
  n / 2
rescue ArgumentError => e
  e.message
else
  'even'
ensure
  print '.'
end
puts (1..4).map { |n| risky(n) }.inspect

fiber = Fiber.new do
  a, b = 0, 1
  loop { Fiber.yield a; a, b = b, a + b }
end
puts (1..15).map { fiber.resume }.inspect

queue = Queue.new
threads = (1..3).map do |i|
  thread = Thread.new { 100.times { |j| queue << i * j } }
  thread.join if ENV['JOPT_ONE_BY_ONE']
  thread
end
threads.each(&:join)
total = 0
total += queue.pop until queue.empty?
puts total
puts catch(:found) { 10.times { |i| throw :found, i if i == 7 }; nil }
puts Set.new([3, 1, 3]).to_a.sort.inspect
puts format('%05.2f|%-6s|%+d|%x', 3.14159, 'ab', 5, 255)
puts 'The quick brown fox'.scan(/\w+/).group_by(&:size).sort.inspect
puts (2**200).to_s
begin
  nil.upcase
rescue NoMethodError => e
  puts e.class
end
puts eval('define_method(:later) { |x| x + 1 } rescue 41') rescue puts 'eval'
io = StringIO.new
10.downto(1) { |i| io << i << ' ' }
puts io.string
def fib(n)
  n < 2 ? n : fib(n - 1) + fib(n - 2)
end
puts fib(20)
