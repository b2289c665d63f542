/** Pictures of a table. What they show is in the table as well. */
const { echarts, flame, select } = libraries;

const isDark = () => (document.documentElement.dataset.colors || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
const hue = text => { let h = 0; for (let i = 0; i < text.length; ++i) h = (h * 31 + text.charCodeAt(i)) % 360; return h; };

/** A chart of ECharts in an element, which it fills. */
function chartIn(element, label) {
  element.setAttribute('role', 'img');
  element.setAttribute('aria-label', label);
  const chart = echarts.init(element, isDark() ? 'dark' : null);
  const watch = new ResizeObserver(() => chart.resize());
  watch.observe(element);
  return { chart, dispose() { watch.disconnect(); chart.dispose(); } };
}

/** Boxes in boxes, each as large as its total; by color how much of it is covered. */
async function drawTreemap(element, table, node, open) {
  await table.load([table.role('above'), table.role('name'), table.role('total'), table.role('covered')].filter(Boolean));
  const name = table.role('name'), total = table.role('total'), covered = table.role('covered'), below = table.below();
  const most = 400;
  const boxes = (at, depth) => {
    const rows = [...below(at)].filter(r => Number(total.values[r]) > 0).sort((a, b) => Number(total.values[b]) - Number(total.values[a]));
    const list = rows.slice(0, most).map(row => {
      const size = Number(total.values[row]), part = covered && size ? Number(covered.values[row]) / size : null;
      return {
        name: name.text(row) + (part === null ? '' : ` ${(100 * part).toFixed(0)} %`), value: size, row,
        itemStyle: { color: part === null ? `hsl(${hue(name.text(row))}, 45%, ${isDark() ? 35 : 75}%)` : `hsl(${Math.round(120 * part)}, 45%, ${isDark() ? 30 : 70}%)` },
        children: depth > 1 ? boxes(row, depth - 1) : undefined,
      };
    });
    if (rows.length > most) {
      const rest = rows.slice(most).reduce((s, r) => s + Number(total.values[r]), 0);
      list.push({ name: `${rows.length - most} more`, value: rest, row: -1, itemStyle: { color: '#888' } });
    }
    return list;
  };
  const { chart, dispose } = chartIn(element, `Treemap of ${table.title}`);
  const ink = isDark() ? '#fff' : '#000';
  chart.setOption({
    backgroundColor: 'transparent', animation: false,
    tooltip: { formatter: p => escape(`${p.name}: ${Number(p.value).toLocaleString('en')} ${total.title}`) },
    series: [{
      type: 'treemap', data: boxes(node, 2), nodeClick: false, roam: false, breadcrumb: { show: false },
      left: 0, right: 0, top: 0, bottom: 0, label: { color: ink }, upperLabel: { show: true, height: 20, color: ink },
      levels: [{ upperLabel: { show: false } }, { itemStyle: { gapWidth: 1, borderWidth: 2 } }, { itemStyle: { borderWidth: 1 } }],
    }],
  });
  chart.on('click', p => { if (p.data && p.data.row >= 0) open(p.data.row); });
  return { dispose, found: () => boxes(node, 1).map(b => b.name) };
}

/** The tree of a row for a flame graph; what is too narrow to be seen is left out. */
async function flameTree(table, node) {
  await table.load([table.role('above'), table.role('name'), table.role('total')]);
  const name = table.role('name'), total = table.role('total'), below = table.below();
  const value = row => Number(total.values[row]);
  const whole = node >= 0 ? value(node) : below(-1).reduce((s, r) => s + value(r), 0);
  const make = (row, label) => {
    const children = [];
    for (const r of below(row)) if (value(r) >= whole / 4000) children.push(make(r, name.text(r)));
    return { name: label, value: row >= 0 ? value(row) : whole, row, children };
  };
  return make(node, node >= 0 ? name.text(node) : table.title);
}

/** Calls above those that called them; of two inputs, red is more and blue is less. */
function drawFlame(element, tree, { unit, find, open, isChange }) {
  element.setAttribute('role', 'img');
  element.setAttribute('aria-label', `Flame graph of ${tree.name}`);
  const text = n => (unit && shown[unit] ? shown[unit](n) : n.toLocaleString('en'));
  const chart = flame.default().width(element.clientWidth - 20).cellHeight(18).minFrameSize(1).transitionDuration(0).inverted(true)
    .setLabelHandler(d => `${d.data.name}: ${text(d.data.value)}${isChange ? `, changed by ${text(d.data.delta)}` : ''}`)
    .onClick(d => { if (open && d.data.row >= 0) open(d.data.row); });
  chart.setColorMapper(isChange
    ? d => {
      const part = d.data.value ? d.data.delta / d.data.value : 0, light = 90 - 40 * Math.min(1, Math.abs(part));
      return part > 0 ? `hsl(0, 80%, ${light}%)` : part < 0 ? `hsl(220, 80%, ${light}%)` : '#ddd';
    }
    : d => (d.highlight ? '#e600e6' : `hsl(${20 + hue(d.data.name) % 35}, 80%, 65%)`));
  select(element).datum(tree).call(chart);
  if (find) chart.search(find);
  return { dispose() { chart.destroy?.(); element.textContent = ''; } };
}

/** A lane for each thread, or for each depth of its calls. */
function lanesOf(table) {
  const thread = table.role('thread'), depth = table.role('depth'), lanes = new Uint16Array(table.rows), names = [];
  const deepest = new Map();
  const of = row => (thread ? thread.values[row] : 0);
  for (let row = 0; row < table.rows; ++row) {
    const d = depth ? Math.min(20, Number(depth.values[row])) : 0, key = of(row);
    if (!(deepest.get(key) >= d)) deepest.set(key, d);
  }
  const first = new Map();
  for (const [key, d] of deepest) {
    first.set(key, names.length);
    for (let i = 0; i <= d; ++i) names.push(i ? '' : thread ? thread.words[key] || '' : table.title);
  }
  for (let row = 0; row < table.rows; ++row) lanes[row] = first.get(of(row)) + (depth ? Math.min(20, Number(depth.values[row])) : 0);
  return { lanes, names };
}

/** The rows of a table by time. What falls on one pixel of a lane is drawn once. */
async function drawTimeline(element, table, { range, choose, zoom }) {
  const start = table.role('start'), length = table.role('duration'), name = table.role('name') || table.shown.find(c => c.isText && !c.role);
  await table.load([start, length, name, table.role('thread'), table.role('depth')].filter(Boolean));
  const { lanes, names } = lanesOf(table);
  const begin = row => Number(start.values[row]), end = row => begin(row) + (length && length.has(row) ? Number(length.values[row]) : 0);
  let first = Infinity, last = -Infinity;
  for (let row = 0; row < table.rows; ++row) { first = Math.min(first, begin(row)); last = Math.max(last, end(row)); }
  if (!(first <= last)) [first, last] = [0, 1];
  last = Math.max(last, first + 1);
  const { chart, dispose } = chartIn(element, `Timeline of ${table.title}`);
  const boxes = (from, to) => {
    const width = Math.max(200, element.clientWidth), taken = new Uint8Array(names.length * (width + 1)), list = [];
    for (let row = 0; row < table.rows; ++row) {
      const a = begin(row), b = end(row);
      if (b < from || a > to) continue;
      const left = Math.max(0, Math.floor((a - from) / (to - from) * width)), right = Math.min(width, Math.floor((b - from) / (to - from) * width));
      if (right <= left) {
        const pixel = lanes[row] * (width + 1) + left;
        if (taken[pixel]) continue;
        taken[pixel] = 1;
      }
      list.push([lanes[row], a, b, row]);
    }
    return list;
  };
  const color = row => `hsl(${name ? hue(name.text(row)) : 210}, 50%, ${isDark() ? 45 : 60}%)`;
  const option = (from, to) => ({
    series: [{
      id: 'rows', type: 'custom', clip: true, encode: { x: [1, 2], y: 0 }, data: boxes(from, to), progressive: 0,
      renderItem: (params, api) => {
        const [x, y] = api.coord([api.value(1), api.value(0)]), [right] = api.coord([api.value(2), api.value(0)]), height = api.size([0, 1])[1] * 0.85;
        const rect = echarts.graphic.clipRectByRect({ x, y: y - height / 2, width: Math.max(1, right - x), height }, params.coordSys);
        return rect && { type: 'rect', shape: rect, style: { fill: color(api.value(3)) } };
      },
    }],
  });
  const [from, to] = range || [first, last];
  chart.setOption({
    backgroundColor: 'transparent', animation: false,
    tooltip: { formatter: p => escape([name ? firstLine(name.text(p.value[3])) : '', shown.clock(p.value[1]), length ? length.text(p.value[3]) : ''].filter(Boolean).join(', ')) },
    grid: { left: 130, right: 20, top: 6, bottom: 60 },
    xAxis: { type: 'value', min: first, max: last, axisLabel: { formatter: n => shown.clock(n) }, splitNumber: 4 },
    yAxis: { type: 'category', data: names.map((n, i) => n + '\u200b'.repeat(i)), inverse: true, axisLabel: { width: 115, overflow: 'truncate', interval: 0 }, axisTick: { show: false } },
    dataZoom: [{ type: 'slider', filterMode: 'none', startValue: from, endValue: to, showDataShadow: false, labelFormatter: n => shown.clock(n) }, { type: 'inside', filterMode: 'none' }],
    ...option(from, to),
  });
  let timer = 0;
  chart.on('dataZoom', () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const zoomed = chart.getOption().dataZoom[0], is = [zoomed.startValue, zoomed.endValue];
      chart.setOption(option(...is));
      zoom(is[0] <= first && is[1] >= last ? null : is);
    }, 60);
  });
  chart.on('click', p => choose(p.value[3]));
  return { dispose, drawn: boxes(from, to).length };
}
