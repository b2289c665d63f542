/** A table on the screen: only cells that can be seen are in the page. */
class Grid {
  constructor(element, { chosen, open, sort }) {
    Object.assign(this, { element, onOpen: open, onChosen: chosen, onSort: sort });
    this.order = new Uint32Array(0);
    this.at = -1;
    element.setDataListener(async (x0, y0, x1, y1) => {
      const columns = this.table ? this.table.shown.slice(x0, x1) : [];
      await Promise.all(columns.map(c => c.load()));
      return {
        num_rows: this.order.length,
        num_columns: this.table ? this.table.shown.length : 0,
        column_headers: columns.map(c => [c.title + (c === this.sorted ? (this.up ? ' ▲' : ' ▼') : '')]),
        data: columns.map(c => Array.from(this.order.subarray(y0, y1), row => firstLine(c.text(row)))),
      };
    });
    element.addStyleListener(() => this.style());
    element.addEventListener('mousedown', e => {
      const meta = element.getMeta(e.target);
      if (meta?.type === 'body') this.choose(meta.y);
    });
    element.addEventListener('click', e => {
      const meta = element.getMeta(e.target);
      if (meta?.type === 'column_header') this.onSort(this.table.shown[meta.x]);
    });
    element.addEventListener('dblclick', e => { if (element.getMeta(e.target)?.type === 'body') this.onOpen(this.order[this.at]); });
    element.addEventListener('keydown', e => this.key(e));
  }
  /** Shows rows of a table, in an order. */
  async show(table, order, { sorted, up } = {}) {
    const isNew = table !== this.table;
    Object.assign(this, { table, order, sorted, up, at: -1 });
    if (isNew) {
      this.element.resetAutoSize?.();
      this.element.scrollLeft = 0;
    }
    this.element.scrollTop = 0;
    await this.element.draw({ invalid_viewport: true });
  }
  style() {
    const table = this.element.querySelector('table');
    if (!this.table) return;
    table.setAttribute('aria-label', this.table.title);
    table.setAttribute('aria-rowcount', this.order.length + 1);
    for (const th of table.querySelectorAll('thead th')) {
      const column = this.table.shown[this.element.getMeta(th)?.x];
      th.scope = 'col';
      th.className = column && !column.isText ? 'n' : '';
      if (column === this.sorted) th.setAttribute('aria-sort', this.up ? 'ascending' : 'descending');
      else th.removeAttribute('aria-sort');
    }
    for (const td of table.querySelectorAll('tbody td')) {
      const meta = this.element.getMeta(td), column = this.table.shown[meta?.x];
      td.className = (column && !column.isText ? 'n' : '') + (column?.role === 'failed' ? ' bad' : '');
      td.parentElement.setAttribute('aria-selected', meta?.y === this.at);
    }
  }
  choose(at) {
    if (at < 0 || at >= this.order.length) return;
    this.at = at;
    this.style();
    this.onChosen(this.order[at]);
  }
  async key(e) {
    const rows = this.element.querySelectorAll('tbody tr').length;
    const move = { ArrowDown: 1, ArrowUp: -1, PageDown: rows - 1, PageUp: 1 - rows, Home: -Infinity, End: Infinity }[e.key];
    if (move !== undefined) {
      e.preventDefault();
      const at = Math.max(0, Math.min(this.order.length - 1, this.at + move));
      this.choose(at);
      const visible = [...this.element.querySelectorAll('tbody td:first-child')].map(td => this.element.getMeta(td)?.y);
      if (at < visible[0] || at > visible[visible.length - 2]) await this.element.scrollToCell(0, Math.max(0, move > 0 ? at - Math.max(0, rows - 3) : at));
    } else if (e.key === 'Enter' && this.at >= 0) {
      this.onOpen(this.order[this.at]);
    }
  }
}

function firstLine(text) {
  const end = text.indexOf('\n');
  return end < 0 ? text : text.slice(0, end) + ' …';
}
