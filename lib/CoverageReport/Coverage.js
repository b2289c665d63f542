// What the pages of a report have besides, where scripts are allowed: sorting, a search over all names, keys, the colours of one test.
@PAGE.js@
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const make = (tag, properties, ...parts) => { const e = Object.assign(document.createElement(tag), properties); e.append(...parts); return e; };
const root = document.body.dataset.root, main = document.querySelector('main');

/** What pages of a visit share. Sandboxed pages have no such storage. */
const remembered = {
  get(name) { try { return JSON.parse(sessionStorage.getItem(name)); } catch { return null; } },
  set(name, value) { try { sessionStorage.setItem(name, JSON.stringify(value)); } catch { } },
};

/** The columns of a table: the cell that heads each, and its label with that of its group. */
function columnsOf(table) {
  const [upper, lower] = table.tHead.rows, below = lower ? [...lower.cells] : [];
  return [...upper.cells].flatMap(cell => {
    if (cell.scope !== 'colgroup') return { cell, label: cell.textContent };
    return below.splice(0, cell.colSpan).map(own => ({ cell: own, label: cell.textContent + ' ' + own.textContent }));
  });
}

/** Sorts the rows by a column, and says so. */
function sortTable(table, columns, n, down) {
  const value = row => row.cells[n].textContent, body = table.tBodies[0];
  const isNumber = [...body.rows].every(row => !value(row) || /^\d/.test(value(row)));
  const compare = isNumber ? (a, b) => (parseFloat(value(a)) || 0) - (parseFloat(value(b)) || 0) : (a, b) => value(a).localeCompare(value(b));
  body.append(...[...body.rows].sort((a, b) => down ? compare(b, a) : compare(a, b)));
  for (const { cell } of columns) cell.removeAttribute('aria-sort');
  columns[n].cell.setAttribute('aria-sort', down ? 'descending' : 'ascending');
}

/** Has the heads of a table sort it; the order is kept over pages. */
function makeSortable(table) {
  const columns = columnsOf(table);
  columns.forEach(({ cell, label }, n) => {
    if (cell.tagName !== 'TH') return;
    const button = make('button', { type: 'button' }, cell.textContent);
    button.onclick = () => {
      const down = cell.getAttribute('aria-sort') ? cell.getAttribute('aria-sort') === 'ascending' : n > 0;
      sortTable(table, columns, n, down);
      remembered.set('order', { label: n ? label : '', down });
    };
    cell.replaceChildren(button);
  });
  const order = remembered.get('order'), n = order ? columns.findIndex((c, i) => (i ? c.label : '') === order.label) : -1;
  if (n >= 0) sortTable(table, columns, n, order.down);
}

/** A box that hides rows of which nothing is missed. */
function addFilter(tables) {
  const box = make('input', { type: 'checkbox', checked: remembered.get('hide') === true });
  const apply = () => {
    remembered.set('hide', box.checked);
    for (const table of tables) {
      const n = columnsOf(table).findIndex(c => c.label === 'Instructions missed');
      for (const row of table.tBodies[0].rows) row.hidden = box.checked && n > 0 && row.cells[n].textContent === '0';
    }
  };
  box.onchange = apply;
  apply();
  main.insertBefore(make('label', {}, box, ' hide what is covered'), document.querySelector('.wide'));
}

/** A field that finds packages, classes and methods; their names are loaded when it is used. */
function addSearch() {
  const field = make('input', { type: 'search', placeholder: 'Search ( / )' }), found = make('section', { hidden: true });
  field.setAttribute('aria-label', 'Search packages, classes and methods');
  found.setAttribute('aria-live', 'polite');
  document.querySelector('header').append(field);
  main.before(found);
  let names;
  const most = 200;
  function show() {
    const wanted = wordsOf(field.value);
    found.hidden = !wanted.length;
    main.hidden = wanted.length > 0;
    if (!wanted.length || !names) return;
    const hits = names.filter(([, lower]) => wanted.every(w => lower.includes(w)));
    const links = hits.slice(0, most).map(([name, , to]) => make('li', {}, make('a', { href: root + to }, name)));
    found.replaceChildren(make('h2', {}, `Found: ${hits.length}`), make('ul', {}, ...links));
    if (hits.length > most) found.append(`The first ${most}.`);
  }
  window.NAMES = packages => {
    names = [];
    const add = (name, to) => names.push([name, name.toLowerCase(), to]);
    for (const [name, to, ...classes] of packages) {
      add(name, to);
      const folder = to.slice(0, to.lastIndexOf('/') + 1);
      for (const [own, page, source, ...methods] of classes) {
        add(`${name}.${own}`, folder + page);
        for (let i = 0; i < methods.length; i += 2) add(`${name}.${own}.${methods[i]}`, folder + (methods[i + 1] ? `${source}#L${methods[i + 1]}` : page));
      }
    }
    show();
  };
  field.oninput = () => {
    if (!names && !document.querySelector('#names')) document.head.append(make('script', { id: 'names', src: root + 'names.js' }));
    show();
  };
  return field;
}

/** Goes to the next gap, or the last one, as seen from the line in the address. */
function step(back) {
  const list = all('.gap'), here = document.querySelector('.source tr:target'), after = here ? row => here.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING : () => true;
  const to = back ? list.filter(row => row !== here && here && !after(row)).pop() : list.find(row => row !== here && after(row));
  if (to) location.hash = to.id;
}

/** Shows what one test reached, if the address says #test=N. */
function showTest() {
  const wanted = /^#test=(\d+)$/.exec(location.hash);
  document.querySelector('#one')?.remove();
  for (const row of all('.unreached')) row.classList.remove('unreached');
  if (!wanted) return;
  const n = Number(wanted[1]), numbers = s => s.split(' ').flatMap(r => { const [a, b = a] = r.split('-').map(Number); return Array.from({ length: b - a + 1 }, (_, i) => a + i); });
  let name = 'one test';
  const sets = new Set(all('[data-tests]').filter(set => {
    const at = numbers(set.dataset.tests).indexOf(n);
    if (at >= 0) name = all('a', set)[at]?.textContent || name;
    return at >= 0;
  }).map(set => '#' + set.id));
  for (const row of all('.source tbody tr'))
    if (!all('a', row).some(a => sets.has(a.getAttribute('href')))) row.classList.add('unreached');
  document.querySelector('.source').before(make('p', { id: 'one' }, `The colours are those of lines that ${name} reached. `, make('a', { href: '#' }, 'All tests')));
}

const tables = all('.counters');
tables.forEach(makeSortable);
if (tables.some(t => t.tFoot && t.tHead.rows[1])) addFilter(tables.filter(t => t.tHead.rows[1]));
const search = addSearch();
if (document.querySelector('.source')) {
  showTest();
  addEventListener('hashchange', showTest);
}
const KEYS = { n: ['the next missed line', () => step(false)], p: ['the last one', () => step(true)], u: ['the page above', () => all('nav a')[all('nav:first-of-type a').length - 1]?.click()],
  '/': ['search', () => search.focus()], '?': ['these keys', () => help.showModal()] };
const help = make('dialog', {}, ...Object.entries(KEYS).map(([key, [what]]) => make('p', {}, make('kbd', {}, key), ' ' + what)), make('button', { type: 'button', onclick: () => help.close() }, 'Close'));
document.body.append(help);
document.querySelector('footer').append(' \u00b7 ? lists the keys');
document.addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest('input, dialog') || !KEYS[e.key]) return;
  e.preventDefault();
  KEYS[e.key][1]();
});
