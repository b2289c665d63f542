/** Lines that verbs of jopt print with --format=json, as tables. */

/** The calls in calls, added up by their path. */
class CallTree {
  constructor() { this.above = []; this.names = []; this.count = []; this.total = []; this.own = []; this.numbers = new Map(); }
  add(call, above) {
    const key = above + ' ' + call.method;
    let node = this.numbers.get(key);
    if (node === undefined) {
      node = this.names.length;
      this.numbers.set(key, node);
      this.above.push(above);
      this.names.push(call.method);
      for (const sums of [this.count, this.total, this.own]) sums.push(0);
    }
    const below = Array.isArray(call.calls) ? call.calls : [], ms = Number(call.durationMs) || 0;
    this.count[node] += Number(call.count) || 1;
    this.total[node] += ms;
    this.own[node] += call.ownMs === undefined ? Math.max(0, ms - below.reduce((s, c) => s + (Number(c.durationMs) || 0), 0)) : Number(call.ownMs) || 0;
    for (const c of below) if (c && typeof c === 'object') this.add(c, node);
  }
  table(title) {
    const ns = list => list.map(ms => Math.round(ms * 1e6));
    return new Table({
      title, group: 'Live', rows: this.names.length, columns: [
        new Column({ title: 'above', role: 'above', array: 'Int32', values: Int32Array.from(this.above), hidden: true }),
        Column.ofTexts('method', this.names, { role: 'name' }),
        Column.ofNumbers('calls', this.count, { unit: 'count' }),
        Column.ofNumbers('time', ns(this.total), { role: 'total', unit: 'ns' }),
        Column.ofNumbers('own time', ns(this.own), { unit: 'ns' })],
    });
  }
}

/** Tables of a file of lines: events, numbers by their metric, and calls in calls. */
function tablesOfLines(text, title, input = 0) {
  const kinds = new Map(), tree = new CallTree();
  for (const line of text.split('\n')) {
    if (!line.trim()) continue;
    let o = { text: line };
    try {
      const read = JSON.parse(line);
      if (read && typeof read === 'object' && !Array.isArray(read)) o = read;
    } catch (e) { /* a program may print anything */ }
    const kind = o.metric === undefined ? title : `${title}: ${o.metric}`;
    if (!kinds.has(kind)) kinds.set(kind, { columns: new Map(), rows: 0 });
    const of = kinds.get(kind);
    for (const [key, value] of Object.entries(o)) {
      if (!of.columns.has(key)) of.columns.set(key, []);
      of.columns.get(key)[of.rows] = value;
    }
    ++of.rows;
    if (Array.isArray(o.calls)) tree.add({ ...o, method: o.class ? `${o.class}.${o.method}` : String(o.method) }, -1);
  }
  const tables = [...kinds].map(([name, { columns, rows }]) => new Table({
    title: name, group: 'Live', input, rows, columns: [...columns].map(([key, values]) => {
      values.length = rows;
      if (values.every(v => v === undefined || v === null || typeof v === 'number')) {
        return /Ms$/.test(key) ? Column.ofNumbers(key, values.map(v => (v === undefined || v === null ? NaN : v * 1e6)), { unit: 'ns', role: key === 'durationMs' ? 'duration' : undefined })
          : Column.ofNumbers(key, values);
      }
      const times = key === 'time' ? values.map(v => Date.parse(v)) : [];
      if (times.length && times.every(t => t === t)) {
        model.start ??= times[0];
        return Column.ofNumbers(key, times.map(t => (t - model.start) * 1e6), { role: 'start', unit: 'clock' });
      }
      return Column.ofTexts(key, values.map(v => (v === undefined || v === null ? null : typeof v === 'string' ? v : JSON.stringify(v))),
        { role: key === 'thread' || key === 'method' ? key : undefined });
    }),
  }));
  if (tree.names.length) tables.push(Object.assign(tree.table(`${title}: calls`), { input }));
  return tables;
}
