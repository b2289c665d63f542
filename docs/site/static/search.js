// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sphinx's search shows only pages that have every word of a question. This one ranks
// all pages that have some: rare words count more, and words of headings most of all. A
// result leads to the section whose heading has the most of them.
"use strict";

const QUESTION_WORDS = ("a an and any anything but can could did do does from get gets go had has have he how i its " +
  "just make many me much my need one our she should so some than them too us use want we what when where which who " +
  "why without would you your").split(" ");

function rankPages(index, words, excluded, stem) {
  const pages = index.docnames.length;
  const list = (files) => (files === undefined ? [] : Array.isArray(files) ? files : [files]);
  const scores = new Array(pages).fill(0);
  const weights = new Map();
  for (const word of words) {
    const titled = new Set(list(index.titleterms[word]));
    const found = new Set([...list(index.terms[word]), ...titled]);
    if (!found.size && word.length > 3) {
      for (const term of Object.keys(index.terms))
        if (term.startsWith(word)) list(index.terms[term]).forEach((f) => found.add(f));
    }
    if (!found.size) continue;
    const weight = Math.log(1 + pages / found.size);
    weights.set(word, weight);
    for (const f of found) scores[f] += weight * (titled.has(f) ? 2 : 1);
  }
  const best = new Array(pages).fill(null);
  for (const [title, places] of Object.entries(index.alltitles)) {
    const names = new Set(title.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean).map(stem));
    let gain = 0;
    for (const [word, weight] of weights) if (names.has(word)) gain += weight;
    if (!gain) continue;
    // A heading that has little else says more.
    gain *= 1 + 1 / names.size;
    for (const [file, id] of places)
      if (!best[file] || gain > best[file].gain) best[file] = { gain, id, title };
  }
  for (const word of excluded)
    for (const f of [...list(index.terms[word]), ...list(index.titleterms[word])]) scores[f] = 0;
  const results = [];
  scores.forEach((score, f) => {
    // The contents name every subject and answer nothing.
    if (!score || index.docnames[f] === "index") return;
    const section = best[f];
    const named = section && section.id !== null && section.title !== index.titles[f];
    results.push([index.docnames[f], named ? `${index.titles[f]} > ${section.title}` : index.titles[f],
      named ? "#" + section.id : "", null, score + (section ? section.gain : 0), index.filenames[f]]);
  });
  return results.sort((a, b) => b[4] - a[4]).slice(0, 20);
}

document.addEventListener("DOMContentLoaded", () => {
  if (typeof Search === "undefined") return;
  // Summaries are fetched, which no browser does from the disk.
  if (typeof DOCUMENTATION_OPTIONS !== "undefined" && window.location.protocol === "file:")
    DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
  stopwords.push(...QUESTION_WORDS);
  const stemmer = new Stemmer();
  Search.performTermsSearch = (words, excluded) =>
    rankPages(Search._index, words, excluded, (word) => stemmer.stemWord(word));
});
