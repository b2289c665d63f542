# Classes, generators, exceptions, decorators, the standard library.
import re, itertools, collections

class Stack(object):
    def __init__(self, *items):
        self._items = list(items)
    def __iter__(self):
        while self._items:
            yield self._items.pop()
    @property
    def size(self):
        return len(self._items)

def logged(f):
    def inner(*a, **k):
        print 'call', f.__name__, a, sorted(k.items())
        return f(*a, **k)
    return inner

@logged
def add(a, b=2):
    return a + b

print add(1), add(1, b=5)
print Stack(1, 2, 3).size, list(Stack(1, 2, 3))
try:
    {}['missing']
except KeyError, e:
    print 'KeyError', e
finally:
    print 'finally'
print sorted(collections.Counter('mississippi').items())
print [m.group(1) for m in re.finditer(r'(\d+)', 'a1b22')]
print list(itertools.islice((x * x for x in itertools.count()), 8))
print 2 ** 100, '%05.2f' % 3.14159
from java.util import ArrayList, Collections
items = ArrayList([3, 1, 2])
Collections.sort(items)
print items
exec 'print sum(range(10))'
