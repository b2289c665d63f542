// Opens the pages of the site in Chromium, at the width of a desktop and of a phone, light
// and dark: node site.mjs SITE [PAGE...]. Fails on errors, requests, pages that are wider
// than the screen, and serious findings of axe-core, which looks at the named pages.
import { chromium } from 'playwright-core';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const site = path.resolve(process.argv[2]), looked = process.argv.slice(3);
const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox'] });
const wrong = new Map();
const fail = (what, where) => wrong.set(what, [...(wrong.get(what) || []), where]);
const files = fs.readdirSync(site).filter(f => f.endsWith('.html')).sort();
for (const [width, height, isMobile] of [[1400, 900, false], [390, 844, true]])
  for (const colorScheme of ['light', 'dark']) {
    const context = await browser.newContext({ viewport: { width, height }, isMobile, colorScheme, bypassCSP: true });
    const page = await context.newPage();
    let where = '';
    page.on('pageerror', e => fail(String(e), where));
    page.on('console', m => { if (m.type() === 'error') fail(m.text(), where); });
    page.on('request', r => { if (!/^(file|data|blob):/.test(r.url())) fail(`asks for ${r.url()}`, where); });
    for (const file of files) {
      const named = looked.includes(file.slice(0, -5));
      if (!named && (colorScheme === 'dark' || !isMobile)) continue;
      where = `${file}, ${width} wide, ${colorScheme}`;
      await page.goto(`file://${site}/${file}${file === 'search.html' ? '?q=probes' : ''}`, { waitUntil: 'domcontentloaded' });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (wide > 0) fail('wider than the screen', `${where}: ${wide} pixels`);
      if (!named) continue;
      await page.evaluate(axe);
      for (const v of (await page.evaluate(() => axe.run({ resultTypes: ['violations'], preload: false }))).violations)
        if (['serious', 'critical'].includes(v.impact))
          fail(`axe: ${v.id}: ${v.help}: ${v.nodes[0].html.slice(0, 160)}: ${v.nodes[0].failureSummary.replace(/\s+/g, ' ')}`, where);
    }
    await context.close();
  }
await browser.close();
for (const [what, places] of wrong) console.log(`${what}\n    ${places.length} times: ${places.slice(0, 3).join('; ')}`);
console.log(`${files.length} pages, ${wrong.size} kinds of findings`);
process.exit(wrong.size ? 1 : 0);
