// Drives every part of the viewer in Chromium: node drive.mjs ROWS PAGE-OF-ROWS PAGE-OF-ALL
// PAGE-OF-ALL compares two folders with tables, traces and coverage, and has lines.jsonl.
import assert from 'node:assert';
import { chromium } from 'playwright-core';
import fs from 'node:fs';
import { createRequire } from 'node:module';

const [rows, many, all] = process.argv.slice(2);
const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 }, bypassCSP: true })).newPage();
const wrong = [];
page.on('pageerror', e => wrong.push(String(e.stack || e)));
page.on('console', m => { if (m.type() === 'error') wrong.push(m.text()); });
page.on('request', r => { if (!/^(file|data|blob):/.test(r.url())) wrong.push(`asked for ${r.url()}`); });

const turn = () => page.evaluate(() => document.documentElement.dataset.shown || '');
async function open(file) {
  const t = Date.now();
  await page.goto('about:blank');
  await page.goto('file://' + file, { waitUntil: 'domcontentloaded' });
  await page.waitForFunction(() => document.documentElement.dataset.shown);
  const paint = await page.evaluate(() => performance.getEntriesByType('paint').find(e => e.name === 'first-contentful-paint')?.startTime);
  return { paint: Math.round(paint), shown: Date.now() - t };
}
/** Does something, waits for what it leads to, and tells how long that took. */
async function step(name, act) {
  const before = await turn(), t = Date.now();
  await act();
  await page.waitForFunction(b => document.documentElement.dataset.shown !== b, before, { timeout: 30000 });
  console.log(`${name}: ${Date.now() - t} ms, ${await page.textContent('#count')}`);
}
const table = name => step(`table ${name}`, () => page.locator('#tables button').filter({ hasText: new RegExp(`^${name} [\\d,]+$`) }).click());
const view = name => step(`view ${name}`, () => page.click(`#views button:text-is("${name}")`));
const cells = async row => (await page.locator('regular-table tbody tr').nth(row).locator('td').allInnerTexts()).map(s => s.trim());
const count = () => page.textContent('#count');
async function accessible(what) {
  await page.evaluate(axe);
  const found = (await page.evaluate(() => axe.run())).violations.filter(v => ['serious', 'critical'].includes(v.impact));
  for (const v of found) wrong.push(`axe, ${what}: ${v.id}: ${v.nodes[0].html.slice(0, 200)}: ${v.nodes[0].failureSummary}`);
}

const many1 = await open(many);
console.log(`${rows} rows: first paint ${many1.paint} ms, rows ${many1.shown} ms`);
assert(many1.paint <= 2000, 'the first paint takes more than 2 s');
const n = Number(rows), shown = x => x.toLocaleString('en');
assert.equal(await count(), `${shown(n)} of ${shown(n)} rows`);
assert.deepEqual((await cells(0)).slice(0, 4), ['1', 'first </script><b onclick=x>"', '0', '9223372036854775807']);
await step('sort by a number', () => page.selectOption('#sort', 'n'));
await step('downwards', () => page.click('#up'));
assert.equal((await cells(0))[2], String(n - 1));
assert.equal((await cells(0))[3], String(9223372036854775807n - BigInt(n - 1)));
await step('sort by a title', () => page.locator('regular-table th').nth(1).click());
assert.equal((await cells(0))[1], '/page/0');
await step('find a text and a number', () => page.fill('#find', `page/77 n<${Math.min(n, 1000)}`));
assert.equal(await count(), `11 of ${shown(n)} rows`);
await step('find nothing', () => page.fill('#find', ''));
await view('Timeline');
await page.mouse.move(700, 300);
await step('a lane', async () => { await page.mouse.wheel(0, -400); await page.waitForTimeout(300); await page.fill('#find', 'second'); });
await page.fill('#find', '');
await table('Request');
await page.focus('#grid');
await page.keyboard.press('End');
await page.waitForFunction(() => document.querySelector('tr[aria-selected=true]'));
assert.equal((await page.locator('tr[aria-selected=true] td').first().innerText()).trim(), shown(n).replace(/,/g, ''));
await page.keyboard.press('Home');
await page.waitForSelector('#detail button:has-text("Query: 1")');
await step('down to the rows below', () => page.keyboard.press('Enter'));
assert.equal(await page.textContent('#crumbs'), 'Request › 1 › Query');
assert.equal((await cells(0))[2], 'select 0');
await step('back up', () => page.keyboard.press('Backspace'));
await accessible('rows');

await open(all);
for (const dark of [false, true]) {
  if (dark) await step('dark', () => page.click('#colors'));
  await table('Request');
  await view('Timeline');
  await accessible(`timeline${dark ? ', dark' : ''}`);
  await table('Calls');
  await view('Flame graph');
  await accessible(`flame graph${dark ? ', dark' : ''}`);
  await table('Coverage');
  await view('Treemap');
  await accessible(`treemap${dark ? ', dark' : ''}`);
}
await table('Request');
await view('Comparison');
const at = await cells(0);
assert.deepEqual([at[1], at[2], at[3]].map(Number), [at[1], at[2], Number(at[2]) - Number(at[1])].map(Number));
await table('Calls');
assert(await page.locator('.d3-flame-graph rect').count() > 3, 'a flame graph of the difference');
await view('Flame graph');
await page.focus('#grid');
await page.keyboard.press('ArrowDown');
await step('into a call', () => page.keyboard.press('Enter'));
assert.match(await page.textContent('#crumbs'), / › main$/);
await table('Calls over time');
await table('Coverage');
await page.focus('#grid');
await page.keyboard.press('ArrowDown');
await step('into a package', () => page.keyboard.press('Enter'));
await page.check('#every');
await step('a method', () => page.fill('#find', 'fib'));
assert.equal((await cells(0))[1], 'method');
await table('Lines');
await table('lines');
assert.equal(await count(), '2 of 2 rows');
await table('lines: calls');
assert.deepEqual((await cells(0)).slice(0, 3), ['a.B.c', '2', '3.000 ms']);
await step('a file that is opened', () => page.setInputFiles('#lines', { name: 'more.jsonl', mimeType: 'text/plain', buffer: Buffer.from('{"class":"X","method":"y","durationMs":2}\nno object\n') }));
assert.equal(await count(), '2 of 2 rows');
await page.keyboard.press('?');
assert(await page.locator('#help').isVisible());
await page.keyboard.press('Escape');

const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
await plain.goto('file://' + all);
assert.match(await plain.innerText('.plain'), /Request[\s\S]*Calls[\s\S]*Coverage/);
assert(!await plain.locator('header').isVisible());
await browser.close();
if (wrong.length) {
  console.log(wrong.join('\n'));
  process.exit(1);
}
console.log('the viewer: all right');
