"use strict";
// What the page knows: the embedded data, and the threshold that the reader tries.

const report = JSON.parse(document.getElementById("report-data").textContent);
const PAIR = Object.fromEntries(report.columns.map((name, at) => [name, at]));

const pairs = report.pairs.map((cells, at) => {
  const pair = Object.fromEntries(report.columns.map((name) => [name, cells[PAIR[name]]]));
  pair.at = at;
  pair.key = `${pair.left_row},${pair.right_row}`;
  pair.doubt = Math.abs(pair.score - report.threshold);
  pair.folded = `${pair.left}\n${pair.right}`.toLowerCase();
  // Scores enough, and yet is none: its right row, or its left row, has another match.
  pair.isBeaten = pair.score >= report.threshold && !pair.is_match;
  return pair;
});

const state = { cut: report.threshold, onCut: [] };

// A deduplication knows of each step of the grid which pairs share a cluster: a bit for each.
const isMatch = (pair, threshold) => {
  if (threshold === report.threshold) return pair.is_match;
  if (pair.together !== undefined) return Boolean((pair.together >> Math.round(threshold / report.grid.step)) & 1);
  return pair.score >= threshold && !pair.isBeaten;
};

const WORDS = report.words || { match: "match", none: "no match", beaten: "beaten by another" };

const setCut = (threshold) => {
  state.cut = threshold;
  state.onCut.forEach((tell) => tell());
};

// The figures at a threshold: those of the next step of the grid, as between two steps no more is known.
const figuresAt = (threshold) => {
  const grid = report.grid;
  if (threshold === report.threshold) return grid.in_force;
  const at = Math.min(Math.max(Math.round(threshold / grid.step), 0), grid.matches.length - 1);
  return {
    matches: grid.matches[at],
    precision: grid.precision && grid.precision[at],
    recall: grid.recall && grid.recall[at],
  };
};

const whole = (number) => Number(number).toLocaleString("en");
const share = (number) => (number === null || number === undefined ? "–" : `${(100 * number).toFixed(1)} %`);
const signed = (number) => {
  const size = Math.abs(number).toFixed(1);
  return Number(size) ? `${number < 0 ? "−" : "+"}${size}` : size;
};

// An element with text or other elements in it; text is never read as HTML.
const make = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
};

// A text whose characters within the spans, [start, end, start, end, ...], are marked.
const marked = (text, spans) => {
  const characters = Array.from(text);
  const parts = [];
  let at = 0;
  for (let i = 0; i < spans.length; i += 2) {
    parts.push(characters.slice(at, spans[i]).join(""));
    parts.push(make("mark", {}, characters.slice(spans[i], spans[i + 1]).join("")));
    at = spans[i + 1];
  }
  parts.push(characters.slice(at).join(""));
  return make("bdi", {}, ...parts);
};
