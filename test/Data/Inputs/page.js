// A DOM just large enough for the page: node page.js index.html. Shows the first
// table, unfolds its first row, and shows every other table.
const fs = require('fs'); const html = fs.readFileSync(process.argv[2], 'utf8');
const m = [...html.matchAll(/<script(?: type="application\/json" id="data")?>([\s\S]*?)<\/script>/g)];
class El { constructor(tag){this.tag=tag;this.children=[];this.style={};this.attr={};this.className='';this.value='';this.scrollTop=0;this.clientHeight=600;this.clientWidth=1000;this._t='';
  this.classList={add:c=>{this.className+=' '+c}};}
 set textContent(t){this._t=t;this.children=[];} get textContent(){return this._t+this.children.map(c=>c.textContent).join('|');}
 append(...c){this.children.push(...c);} replaceChildren(...c){this.children=c;} setAttribute(k,v){this.attr[k]=v;} getBoundingClientRect(){return {left:0};}
 getContext(){return new Proxy({}, {get:(t,k)=>k in t?t[k]:()=>{globalThis.draws=(globalThis.draws||0)+(k==='fillRect')}, set:(t,k,v)=>(t[k]=v,true)});} }
const els={}; global.document={getElementById:id=>els[id]||(els[id]=new El(id)),createElement:t=>new El(t),body:new El('body'),documentElement:new El('html')};
global.window=global; global.getComputedStyle=()=>({color:'x',getPropertyValue:()=>'y'});
document.getElementById('data').textContent=m[0][1];
const t0=Date.now(); new Function(m[1][1]+'\nglobalThis.page={show,tables,select,choose,items:()=>items,draw};')();
console.log(page.tables.length, 'tables,', page.items().length, 'lines,', els.space.children.length, 'in the page');
if (process.argv[3]) console.log('shown after', Date.now() - t0, 'ms');
console.log(els.titles.textContent); for (const c of els.space.children.slice(0,4)) console.log(c.textContent);
page.choose(page.items()[0]); console.log('unfolded:', page.items().length, '\n'+els.detail.textContent);
for (const t of page.tables) page.show(t);
console.log(els.count.textContent, '|', els.tables.children.map(c=>c.textContent).join(' '));
