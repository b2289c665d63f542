// The first pages that the search of a site finds for each line `question: Page...` of a
// file, by the scripts of the site itself; says which questions have none of their pages
// among the first two.
//
//     node search.js SITE QUESTIONS
const fs = require("fs"), path = require("path"), vm = require("vm");
const [site, questions] = process.argv.slice(2);
const element = () => new Proxy(function () {}, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => "" : name === "length" ? 0 : name === "lastChild" ? null : element()),
  set: () => true, apply: () => element(),
});
const ready = [];
const context = vm.createContext({
  console, URLSearchParams, localStorage: { setItem() {} }, SPHINX_HIGHLIGHT_ENABLED: false,
  document: new Proxy({}, {
    get: (_, name) => (name === "addEventListener" ? (event, call) => ready.push(call)
      : name === "readyState" ? "loading" : element()),
    set: () => true,
  }),
  window: { location: { search: "" }, setTimeout() {} }, setTimeout() {}, _: (t) => t,
});
// What shows the results is replaced, so it may not be constant.
const load = (name) => vm.runInContext(fs.readFileSync(path.join(site, name), "utf8")
  .replace("const _displayNextItem =", "var _displayNextItem ="), context, { filename: name });
context._ready = () => {};
load("_static/search.js");
load("_static/searchtools.js");
load("_static/language_data.js");
load("searchindex.js");
ready[0]();
vm.runInContext("_displayNextItem = (results) => { shown = results; }; var shown;", context);
let wrong = 0, asked = 0;
for (const line of fs.readFileSync(questions, "utf8").split("\n").filter((l) => l.includes(": "))) {
  const [question, pages] = line.split(/: (?=[^:]*$)/);
  vm.runInContext("Search.query(" + JSON.stringify(question) + ")", context);
  const found = context.shown.slice().reverse().slice(0, 4).map((r) => r[0] + r[2]);
  const right = found.slice(0, 2).some((f) => pages.split(" ").includes(f.split("#")[0]));
  asked++;
  if (!right) wrong++;
  console.log(`${right ? "found" : "MISSED"}  ${question}: ${found.join(" ")}`);
}
console.log(`${asked} questions, ${wrong} not found within two pages`);
process.exit(wrong ? 1 : 0);
