/** Two inputs side by side. */

/** Numbers by key of both tables, side by side. */
function sideBySide(before, after, title, keyTitle) {
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  const [first] = [...before.values(), ...after.values()], measures = first ? Object.keys(first) : [];
  const columns = [Column.ofTexts(keyTitle, keys, { role: 'name' })];
  for (const m of measures) {
    const of = side => keys.map(k => side.get(k)?.[m] ?? null), unit = m === 'rows' || m === 'total' ? 'count' : m.startsWith('covered') ? 'percent' : 'ns';
    const a = of(before), b = of(after);
    columns.push(Column.ofNumbers(`${m} before`, a, { unit }), Column.ofNumbers(`${m} after`, b, { unit }),
      Column.ofNumbers(`${m}: change`, a.map((x, i) => (b[i] ?? 0) - (x ?? 0)), { unit, role: m === measures[0] ? 'change' : undefined }));
  }
  return new Table({ title, rows: keys.length, columns });
}

/** The paths of a tree, with what is measured of them. */
async function byPath(table) {
  await table.load();
  const above = table.role('above').values, name = table.role('name'), total = table.role('total'), covered = table.role('covered');
  const paths = [], found = new Map();
  for (let row = 0; row < table.rows; ++row) {
    paths[row] = (above[row] >= 0 ? paths[above[row]] + ' › ' : '') + name.text(row);
    const of = { total: Number(total.values[row]) + (found.get(paths[row])?.total ?? 0) };
    if (covered) of['covered, percent'] = of.total ? 100 * Number(covered.values[row]) / of.total : 0;
    found.set(paths[row], of);
  }
  return found;
}

/** The rows of each text of a column: how many, and how long. */
async function byText(table, title) {
  const key = table.columns.find(c => c.title === title), length = table.role('duration');
  await table.load([key, length].filter(Boolean));
  const rows = new Map();
  for (let row = 0; row < table.rows; ++row) {
    const text = key.text(row) || '(none)';
    if (!rows.has(text)) rows.set(text, []);
    rows.get(text).push(length && length.has(row) ? Number(length.values[row]) : NaN);
  }
  const found = new Map();
  for (const [text, all] of rows) {
    const known = all.filter(n => n === n).sort((a, b) => a - b);
    const of = { rows: all.length };
    if (length) {
      const at = q => (known.length ? known[Math.min(known.length - 1, Math.floor(q * known.length))] : null);
      Object.assign(of, { 'duration in all': known.reduce((s, n) => s + n, 0), median: at(0.5), 'longest but 1 %': at(0.99) });
    }
    found.set(text, of);
  }
  return found;
}

const comparable = table => table.columns.filter(c => c.isText && !c.hidden && c.role !== 'stack');

/** Of two inputs' tables of one title. */
async function compare(before, after, by) {
  const of = table => (table.isTree ? byPath(table) : byText(table, by));
  return sideBySide(await of(before), await of(after), before.title, before.isTree ? before.role('name').title : by);
}

/** Two trees as one: as wide as both together, and how much the second has more. */
async function mergedTree(before, after) {
  const [a, b] = [await byPath(before), await byPath(after)];
  const root = { name: before.title, value: 0, delta: 0, children: [] }, nodes = new Map([['', root]]);
  for (const path of new Set([...a.keys(), ...b.keys()])) {
    const cut = path.lastIndexOf(' › '), above = nodes.get(cut < 0 ? '' : path.slice(0, cut));
    const was = a.get(path)?.total ?? 0, is = b.get(path)?.total ?? 0;
    const node = { name: cut < 0 ? path : path.slice(cut + 3), value: was + is, delta: is - was, children: [] };
    above.children.push(node);
    nodes.set(path, node);
    if (above === root) { root.value += node.value; root.delta += node.delta; }
  }
  return root;
}
