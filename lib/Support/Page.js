'use strict';
const escape = s => String(s).replace(/[&<>"']/g, c => '&#' + c.charCodeAt(0) + ';');

/** Text of HTML that was made by html`...`. */
class Markup { constructor(s) { this.s = s; } toString() { return this.s; } }

/** html`<b>${text}</b>`: every value is escaped, unless it was made by this; lists are joined. */
const html = (parts, ...values) => new Markup(parts.reduce((s, part, i) => {
  const safe = v => v instanceof Markup ? v.s : Array.isArray(v) ? v.map(safe).join('') : escape(v);
  return s + safe(values[i - 1]) + part;
}));
const byId = id => document.getElementById(id);
const count = (n, what) => n + ' ' + what + (n === 1 ? '' : what.endsWith('s') ? 'es' : 's');
const wordsOf = text => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Shows items in a list, so many at a time: make(item) is the element of one. */
function fill(list, items, make, most = 500) {
  list.textContent = '';
  let at = 0;
  (function more() {
    const part = document.createDocumentFragment();
    for (const end = Math.min(at + most, items.length); at < end; ++at) part.append(make(items[at]));
    list.append(part);
    if (at === items.length) return;
    const b = document.createElement('button');
    b.textContent = `${items.length - at} more`;
    b.onclick = () => { b.remove(); more(); };
    list.append(b);
  })();
}
