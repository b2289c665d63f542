/** The table and the view on the screen, and the ways from one to another. */
const model = JSON.parse(byId('model').textContent);
const tables = model.tables.map(t => new Table(t));
const views = { table: 'Table', timeline: 'Timeline', flame: 'Flame graph', treemap: 'Treemap', compare: 'Comparison' };
/** The way down to the rows that are shown: of a tree a node, else the row of the table above. */
let path = [], view = 'table', sort = null, up = true, range = null, picture = null, compareBy = null, everyLevel = false, shows = 0;

const here = () => path[path.length - 1];
const partner = table => tables.find(t => t !== table && t.title === table.title && t.input !== table.input);
const inputName = table => (model.inputs.length > 1 ? model.inputs[table.input || 0] : '');

function viewsOf(table) {
  const found = ['table'];
  if (table.role('start')) found.push('timeline');
  if (table.isTree && !table.role('covered')) found.push('flame');
  if (table.isTree) found.push('treemap');
  if (partner(table) && (table.isTree || comparable(table).length)) found.push('compare');
  return found;
}
const children = table => tables.filter(t => t.parent === tables.indexOf(table) && tables.includes(table));

/** Everything again, after a change of the state. */
async function show() {
  const turn = ++shows, { table, node, above } = here();
  if (!viewsOf(table).includes(view)) view = 'table';
  drawNavigation();
  byId('detail').textContent = '';
  let shown = table, order;
  const find = byId('find').value.trim();
  if (view === 'compare') {
    const by = compareBy && comparable(table).some(c => c.title === compareBy) ? compareBy : comparable(table)[0]?.title;
    const [before, after] = [table, partner(table)].sort((a, b) => (a.input || 0) - (b.input || 0));
    shown = await compare(before, after, by);
    if (sort && !shown.columns.some(c => c.title === sort.title)) sort = null;
    sort = sort ? shown.columns.find(c => c.title === sort.title) : null;
    order = await shown.select({ find, sort, up });
    if (!sort) {
      const by = shown.role('change');
      order.sort((a, b) => Math.abs(by.values[b] || 0) - Math.abs(by.values[a] || 0));
    }
  } else {
    const inNode = table.isTree && !everyLevel && !find;
    order = await table.select({ find, sort, up, range: view === 'timeline' ? range : null, above, node: inNode ? node : undefined });
    if (table.isTree && !sort) {
      const total = table.role('total');
      await total.load();
      order.sort((a, b) => Number(total.values[b]) - Number(total.values[a]));
    }
  }
  if (turn !== shows) return;
  drawTools(shown, table);
  byId('count').textContent = `${order.length.toLocaleString('en')} of ${shown.rows.toLocaleString('en')} rows`;
  remember();
  await grid.show(shown, order, { sorted: sort, up });
  if (turn !== shows) return;
  await drawPicture(table, node ?? -1, find);
  document.documentElement.dataset.shown = turn;
}

async function drawPicture(table, node, find) {
  picture?.dispose();
  picture = null;
  const element = byId('picture');
  element.textContent = '';
  for (const name of ['role', 'aria-label', '_echarts_instance_']) element.removeAttribute(name);
  const draws = view !== 'table' && (view !== 'compare' || table.isTree && !table.role('covered'));
  element.hidden = !draws;
  if (!draws) return;
  const open = row => openRow(table, row);
  const unit = table.role('total')?.unit;
  if (view === 'treemap') picture = await drawTreemap(element, table, node, open);
  if (view === 'flame') picture = drawFlame(element, await flameTree(table, node), { unit, find, open });
  if (view === 'timeline') {
    picture = await drawTimeline(element, table, {
      range, choose: row => choose(row), zoom: r => { range = r; showRows(); },
    });
  }
  if (view === 'compare') {
    const [before, after] = [table, partner(table)].sort((a, b) => (a.input || 0) - (b.input || 0));
    picture = drawFlame(element, await mergedTree(before, after), { unit, find, isChange: true });
  }
}

/** The rows again, and no new picture. */
async function showRows() {
  const { table, above } = here();
  const order = await table.select({ find: byId('find').value.trim(), sort, up, range, above });
  byId('count').textContent = `${order.length.toLocaleString('en')} of ${table.rows.toLocaleString('en')} rows`;
  remember();
  await grid.show(table, order, { sorted: sort, up });
}

function button(text, click, more = {}) {
  const b = document.createElement('button');
  b.type = 'button';
  b.textContent = text;
  b.onclick = click;
  for (const [name, value] of Object.entries(more)) b.setAttribute(name, value);
  return b;
}

function drawNavigation() {
  const list = byId('tables'), { table } = path[0];
  list.textContent = '';
  let group = null;
  for (const t of tables) {
    if (t.input && partner(t)) continue;
    if (t.group !== group) {
      group = t.group;
      const label = document.createElement('span');
      label.textContent = group;
      list.append(label);
    }
    list.append(button(`${t.title} ${t.rows.toLocaleString('en')}`, () => goTo(t), { 'aria-current': String(t.title === table.title) }));
  }
  const crumbs = byId('crumbs');
  crumbs.textContent = '';
  path.forEach((p, i) => {
    if (i) crumbs.append(' › ');
    crumbs.append(button(p.label, () => { path = path.slice(0, i + 1); sort = null; show(); }, i === path.length - 1 ? { 'aria-current': 'page' } : {}));
  });
}

function drawTools(shown, table) {
  byId('views').replaceChildren(...viewsOf(table).map(v => button(views[v], () => { view = v; sort = null; range = null; show(); }, { 'aria-pressed': String(v === view) })));
  const options = (element, texts, chosen) => element.replaceChildren(...texts.map(([value, text]) => new Option(text, value, false, value === chosen)));
  options(byId('sort'), [['', 'as recorded'], ...shown.shown.map(c => [c.title, c.title])], sort ? sort.title : '');
  byId('up').textContent = up ? '▲' : '▼';
  byId('up').setAttribute('aria-label', up ? 'ascending; turn' : 'descending; turn');
  byId('inputs').hidden = !partner(table) || view === 'compare';
  options(byId('input'), model.inputs.map((name, i) => [String(i), name]), String(table.input || 0));
  byId('by').hidden = view !== 'compare' || table.isTree;
  options(byId('column'), comparable(table).map(c => [c.title, c.title]), compareBy);
  byId('levels').hidden = !table.isTree || view === 'compare';
  byId('every').checked = everyLevel;
}

/** All of a row, and what is below it. */
async function choose(row) {
  const table = grid.table, detail = byId('detail'), turn = shows;
  await table.load(table.shown);
  if (turn !== shows) return;
  const list = document.createElement('dl');
  for (const c of table.shown) {
    const text = c.text(row);
    if (!text) continue;
    const title = document.createElement('dt'), value = document.createElement('dd');
    title.textContent = c.title;
    value.textContent = text;
    list.append(title, value);
  }
  const links = document.createElement('p');
  if (table.isTree && table.below()(row).length) links.append(button(`open: ${table.below()(row).length} below`, () => openRow(table, row)));
  for (const child of children(table)) {
    const number = table.role('number'), above = number ? number.values[row] : row;
    const order = await child.select({ above });
    if (order.length) links.append(button(`${child.title}: ${order.length}`, () => openChild(table, row, child, above)));
  }
  if (turn === shows) detail.replaceChildren(list, links);
}

function openChild(table, row, child, above) {
  const label = table.role('name') || table.role('number');
  path.push({ table: child, above, label: `${label ? label.text(row) : row + 1} › ${child.title}` });
  sort = null;
  byId('find').value = '';
  show();
}

/** Goes down to what is below a row. */
async function openRow(table, row) {
  if (table.isTree) {
    if (!table.below()(row).length) { choose(row); return; }
    const above = table.role('above').values, name = table.role('name'), way = [];
    for (let at = row; at >= 0; at = above[at]) way.unshift({ table, node: at, label: name.text(at) });
    path = [...path.filter(p => p.table !== table || p.node === undefined || p.node === -1), ...way];
    byId('find').value = '';
    sort = null;
    await show();
    return;
  }
  for (const child of children(table)) {
    const number = table.role('number'), above = number ? number.values[row] : row;
    if ((await child.select({ above })).length) { openChild(table, row, child, above); return; }
  }
}

function goTo(table) {
  path = [{ table, node: table.isTree ? -1 : undefined, label: table.title + (inputName(table) && partner(table) ? ` (${inputName(table)})` : '') }];
  sort = null;
  up = true;
  range = null;
  byId('find').value = '';
  show();
}

/** The address says what is shown, so that a link leads there. */
function remember() {
  const words = new URLSearchParams({ table: path[0].table.title, view });
  if (path[0].table.input) words.set('input', path[0].table.input);
  if (byId('find').value) words.set('find', byId('find').value);
  if (sort) words.set('sort', (up ? '' : '-') + sort.title);
  history.replaceState(null, '', '#' + words);
}

function addLines(text, title) {
  const found = tablesOfLines(text, title, model.inputs.length ? 0 : undefined);
  tables.push(...found);
  return found;
}

const grid = new Grid(byId('grid'), {
  chosen: choose,
  open: row => openRow(grid.table, row),
  sort: column => {
    up = sort === column ? !up : column.isText;
    sort = column;
    view === 'timeline' ? showRows() : show();
  },
});

async function start() {
  byId('about').textContent = model.about;
  for (const { title, block, input } of model.lines) tables.push(...tablesOfLines(new TextDecoder().decode(await unpack(block)), title, input));
  if (!tables.length) {
    byId('count').textContent = 'nothing was recorded';
    return;
  }
  const asked = new URLSearchParams(location.hash.slice(1)), is = t => t.title === asked.get('table') && (t.input || 0) === Number(asked.get('input') || 0);
  const table = tables.find(is) || tables[0];
  goTo(table);
  view = asked.get('view') || (table.role('covered') ? 'treemap' : 'table');
  byId('find').value = asked.get('find') || '';
  const by = asked.get('sort');
  if (by) {
    up = !by.startsWith('-');
    sort = table.columns.find(c => c.title === by.replace(/^-/, '')) || null;
  }
  await show();
}

byId('find').addEventListener('input', () => { clearTimeout(byId('find').timer); byId('find').timer = setTimeout(show, 150); });
byId('sort').addEventListener('change', e => { sort = grid.table.columns.find(c => c.title === e.target.value) || null; show(); });
byId('up').addEventListener('click', () => { up = !up; show(); });
byId('every').addEventListener('change', e => { everyLevel = e.target.checked; show(); });
byId('column').addEventListener('change', e => { compareBy = e.target.value; sort = null; show(); });
byId('input').addEventListener('change', e => {
  const { table } = path[0];
  if ((table.input || 0) !== Number(e.target.value)) goTo(partner(table));
});
byId('colors').addEventListener('click', () => { document.documentElement.dataset.colors = isDark() ? 'light' : 'dark'; show(); });
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => show());
byId('lines').addEventListener('change', async e => {
  for (const file of e.target.files) {
    const found = addLines(await file.text(), file.name.replace(/\.[^.]*$/, ''));
    if (found.length) goTo(found[0]);
  }
});
byId('keys').addEventListener('click', () => byId('help').showModal());
document.addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey || byId('help').open) return;
  if (e.key === 'Escape' && e.target === byId('find')) { byId('find').value = ''; show(); byId('grid').focus(); }
  if (/^(INPUT|SELECT)$/.test(e.target.tagName)) return;
  const { table } = here(), key = Object.keys(views).find(v => v !== 'table' && { timeline: 't', flame: 'f', treemap: 'm', compare: 'c' }[v] === e.key);
  if (e.key === '/') { e.preventDefault(); byId('find').focus(); }
  else if (e.key === '?') byId('help').showModal();
  else if (e.key === 'Backspace' && path.length > 1) { path.pop(); sort = null; show(); }
  else if (e.key === 'l') { view = 'table'; show(); }
  else if (key && viewsOf(table).includes(key)) { view = key; show(); }
  else if (e.key === 'g') byId('grid').focus();
  else if (/^[1-9]$/.test(e.key)) byId('tables').querySelectorAll('button')[e.key - 1]?.click();
});
start();
