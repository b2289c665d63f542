// Runs the script of the pages that `jopt-data report -html=` writes, without a
// browser: node page.js FOLDER. A document that knows what the script uses stands
// for one.
const fs = require('fs'), vm = require('vm');
const folder = process.argv[2];
const elements = {}, listeners = {}, scripts = [];
const element = id => elements[id] ||= {
  id, value: '', innerHTML: '', textContent: '', scrollIntoView() { console.log('scrolled to', id); },
  addEventListener(kind, use) { listeners[id + ' ' + kind] = use; }, querySelector: s => element(id + s),
};
const document = {
  getElementById: element, createElement: () => ({}), head: { append: s => scripts.push(s.src) },
  addEventListener(kind, use) { listeners['document ' + kind] = use; },
};
const page = { document, location: { hash: '' }, console, addEventListener(kind, use) { listeners[kind] = use; } };
page.window = page;
const context = vm.createContext(page);
const html = fs.readFileSync(folder + '/index.html', 'utf8');
vm.runInContext(html.match(/<script>([^]*?)<\/script>/)[1], context);
const run = file => vm.runInContext(fs.readFileSync(`${folder}/${file}`, 'utf8'), context);
const text = html => html.replace(/<\/(tr|div|p)>/g, '\n').replace(/<[^>]*>/g, ' ').replace(/ +/g, ' ');
const go = hash => { page.location.hash = hash; listeners.hashchange(); };
const title = () => console.log(`== ${element('title').textContent}: ${element('sum').textContent}`);

run('data.js');
title();
console.log(text(element('main.rows').innerHTML));
console.log('rectangles:', (element('main').innerHTML.match(/<rect/g) || []).length);
go('#p/0');
title();
console.log(text(element('main.rows').innerHTML), text(element('main').innerHTML));
go('#s/0/0/4');
console.log('loads', scripts.join());
run(scripts[0]);
title();
for (const [, id, state, line] of element('main').innerHTML.matchAll(/<div id="(\w+)" class="(\w*)"[^>]*>(.*?)<\/div>/g))
  console.log(`${id} ${state || '-'} ${text(line)}`);
console.log(element('main').innerHTML.match(/<span class=k>return<\/span>/) ? 'keywords' : 'no keywords');
element('search').value = 'ABS';
listeners['search input']();
title();
console.log(element('main.rows').innerHTML.match(/href="[^"]*"/)[0]);
