/** Tables by columns: what a page has packed, and what is made of it. */

/** The bytes of a block of the page: base64 of zlib's format. */
async function unpack(block) {
  const text = byId('block' + block).textContent;
  let packed;
  if (Uint8Array.fromBase64) {
    packed = Uint8Array.fromBase64(text);
  } else {
    const binary = atob(text);
    packed = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; ++i) packed[i] = binary.charCodeAt(i);
  }
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).arrayBuffer();
}

const arrays = { Int32: Int32Array, Float64: Float64Array, BigInt64: BigInt64Array };
const none = { Int32: -(2 ** 31), Float64: NaN, BigInt64: -(2n ** 63n) };

function duration(ns) {
  if (Math.abs(ns) < 1e3) return ns + ' ns';
  if (Math.abs(ns) < 1e6) return (ns / 1e3).toPrecision(4) + ' µs';
  if (Math.abs(ns) < 1e9) return (ns / 1e6).toPrecision(4) + ' ms';
  return (ns / 1e9).toPrecision(5) + ' s';
}
const shown = {
  ns: duration,
  clock: ns => new Date(model.start + ns / 1e6).toISOString().slice(11, 23),
  percent: n => n.toFixed(1) + ' %',
  count: n => n.toLocaleString('en'),
};

/** A column. Texts are numbers of a list of words, of which 0 is none. */
class Column {
  constructor(of) {
    Object.assign(this, of);
    this.isText = this.array === 'Text';
    this.none = this.isText ? 0 : none[this.array];
  }
  static ofTexts(title, texts, more = {}) {
    const words = [null], numbers = new Map();
    const values = Int32Array.from(texts, text => {
      if (text === null || text === undefined || text === '') return 0;
      let n = numbers.get(text);
      if (n === undefined) { n = words.length; numbers.set(text, n); words.push(text); }
      return n;
    });
    return new Column({ title, array: 'Text', values, words, ...more });
  }
  static ofNumbers(title, numbers, more = {}) {
    return new Column({ title, array: 'Float64', values: Float64Array.from(numbers, n => n ?? NaN), ...more });
  }
  /** Reads the values when they are first wanted. */
  load() {
    return this.loading ||= this.values ? Promise.resolve() : (async () => {
      const [bytes, words] = await Promise.all([unpack(this.block), this.isText ? unpack(this.words) : null]);
      this.values = new (arrays[this.array] || Int32Array)(bytes);
      if (words) this.words = JSON.parse(new TextDecoder().decode(words));
    })();
  }
  has(row) {
    const v = this.values[row];
    return v === v && v !== this.none;
  }
  /** Null if there is none. */
  value(row) { return this.has(row) ? (this.isText ? this.words[this.values[row]] : this.values[row]) : null; }
  text(row) {
    const v = this.value(row);
    return v === null ? '' : this.unit && shown[this.unit] ? shown[this.unit](Number(v)) : String(v);
  }
  /** Numbers that have the order of the values; those without one are last. */
  keys() {
    if (this.sortKeys) return this.sortKeys;
    const keys = new Float64Array(this.values.length);
    let ranks = null;
    if (this.isText) {
      const order = this.words.map((w, i) => i).slice(1).sort((a, b) => (this.words[a] < this.words[b] ? -1 : 1));
      ranks = new Float64Array(this.words.length);
      order.forEach((word, rank) => { ranks[word] = rank; });
    }
    for (let i = 0; i < keys.length; ++i) keys[i] = !this.has(i) ? NaN : ranks ? ranks[this.values[i]] : Number(this.values[i]);
    return this.sortKeys = keys;
  }
}

/** Rows and columns; a column's role is its meaning for a picture. */
class Table {
  constructor(of) {
    Object.assign(this, of);
    this.columns = of.columns.map(c => (c instanceof Column ? c : new Column(c)));
    this.shown = this.columns.filter(c => !c.hidden);
  }
  role(name) { return this.columns.find(c => c.role === name); }
  load(columns = this.columns) { return Promise.all(columns.map(c => c.load())); }
  get isTree() { return Boolean(this.role('above')); }

  /** Rows by the row above them: those of a row are order[first[row + 1]] and on. */
  below() {
    if (this.belowRows) return this.belowRows;
    const above = this.role('above').values, first = new Uint32Array(this.rows + 2);
    for (let i = 0; i < this.rows; ++i) ++first[above[i] + 2];
    for (let i = 1; i < first.length; ++i) first[i] += first[i - 1];
    const order = new Uint32Array(this.rows), next = first.slice();
    for (let i = 0; i < this.rows; ++i) order[next[above[i] + 1]++] = i;
    return this.belowRows = row => order.subarray(first[row + 1], first[row + 2]);
  }

  /** The rows of a filter, in order. */
  async select({ find, sort, up, range, above, node }) {
    let rows = null;
    const keep = test => {
      const from = rows, count = from ? from.length : this.rows, to = new Uint32Array(count);
      let n = 0;
      for (let i = 0; i < count; ++i) {
        const row = from ? from[i] : i;
        if (test(row)) to[n++] = row;
      }
      rows = to.subarray(0, n);
    };
    if (above !== undefined) {
      const parent = this.role('parent');
      await parent.load();
      keep(row => parent.values[row] === above);
    }
    if (node !== undefined) {
      await this.role('above').load();
      rows = this.below()(node).slice();
    }
    if (range) {
      const start = this.role('start'), length = this.role('duration');
      await this.load([start, length].filter(Boolean));
      keep(row => Number(start.values[row]) <= range[1] &&
        Number(start.values[row]) + (length && length.has(row) ? Number(length.values[row]) : 0) >= range[0]);
    }
    for (const test of await this.tests(find || '')) keep(test);
    if (!rows) { rows = new Uint32Array(this.rows); for (let i = 0; i < rows.length; ++i) rows[i] = i; }
    if (sort) {
      await sort.load();
      const keys = sort.keys(), sign = up ? 1 : -1;
      rows.sort((a, b) => {
        const x = keys[a], y = keys[b];
        if (x === y || (x !== x && y !== y)) return a - b;
        if (x !== x) return 1;
        if (y !== y) return -1;
        return x < y ? -sign : sign;
      });
    }
    return rows;
  }

  /** A test for each part of a search: a text, or `column>5`, `column=text`. */
  async tests(find) {
    const tests = [], units = { ns: 1, us: 1e3, 'µs': 1e3, ms: 1e6, s: 1e9 };
    for (const part of find.match(/"[^"]*"|\S+/g) || []) {
      const m = part.match(/^([^<>=]+)(>=|<=|>|<|=)(.+)$/);
      const column = m && this.columns.find(c => c.title.toLowerCase().replace(/ /g, '_') === m[1].toLowerCase());
      if (column && !column.isText) {
        await column.load();
        const n = m[3].match(/^(-?[\d.e]+)(\D*)$/), right = n ? Number(n[1]) * (units[n[2]] || 1) : NaN, v = column.values;
        const compare = { '>': (a, b) => a > b, '<': (a, b) => a < b, '>=': (a, b) => a >= b, '<=': (a, b) => a <= b, '=': (a, b) => a === b }[m[2]];
        tests.push(row => column.has(row) && compare(Number(v[row]), right));
        continue;
      }
      const texts = column ? [column] : this.columns.filter(c => c.isText);
      await this.load(texts);
      const word = (column ? m[3] : part.replace(/"/g, '')).toLowerCase(), exact = column && m[2] === '=';
      const hits = texts.map(c => [c.values, Uint8Array.from(c.words, w => w !== null && (exact ? w.toLowerCase() === word : w.toLowerCase().includes(word)))]);
      tests.push(row => { for (const [values, hit] of hits) if (hit[values[row]]) return true; return false; });
    }
    return tests;
  }
}
