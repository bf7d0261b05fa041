// The table of pairs: what is shown, in which order, a page at a time.

const PAGE = 50;
const body = document.querySelector("#table tbody");
const shown = { sort: "doubt", up: true, rows: PAGE, open: new Set() };

const FILTERS = {
  all: () => true,
  match: (pair) => isMatch(pair, state.cut),
  none: (pair) => !isMatch(pair, state.cut),
  gained: (pair) => isMatch(pair, state.cut) && !pair.is_match,
  lost: (pair) => !isMatch(pair, state.cut) && pair.is_match,
  labelled: (pair) => labelOf(pair),
  unlabelled: (pair) => !labelOf(pair),
};

const SORTS = {
  left: (a, b) => a.left.localeCompare(b.left),
  right: (a, b) => a.right.localeCompare(b.right),
  score: (a, b) => a.score - b.score,
  doubt: (a, b) => a.doubt - b.doubt,
  outcome: (a, b) => outcome(a).localeCompare(outcome(b)) || a.doubt - b.doubt,
  label: (a, b) => (labelOf(a) || "~").localeCompare(labelOf(b) || "~"),
};

const outcome = (pair) => {
  const now = isMatch(pair, state.cut);
  if (now !== pair.is_match) return now ? "gained" : "lost";
  if (now) return WORDS.match;
  return pair.isBeaten ? WORDS.beaten : WORDS.none;
};

const chosen = () => {
  const keep = FILTERS[document.getElementById("filter").value];
  const words = document.getElementById("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = pairs.filter((pair) => keep(pair) && words.every((word) => pair.folded.includes(word)));
  const way = shown.up ? 1 : -1;
  return found.sort((a, b) => way * SORTS[shown.sort](a, b) || a.at - b.at);
};

const ANSWERS = { y: "the same", n: "different", u: "unsure" };
const CLASSES = { y: "yes", n: "no", u: "unsure" };
const labelText = (pair) => {
  const label = labelOf(pair);
  return make("span", { class: label ? CLASSES[label] : null }, label ? ANSWERS[label] : "");
};

const side = (text, spans, row, n) => {
  const where = n > 1 ? `row ${row} and ${whole(n - 1)} more alike` : `row ${row}`;
  return [marked(text, spans), make("span", { class: "rows" }, where)];
};

const detail = (pair) => {
  const answers = Object.entries(ANSWERS).map(([answer, name]) => {
    const button = make("button", { type: "button", class: `small ${CLASSES[answer]}`, "aria-pressed": String(labelOf(pair) === answer) }, name);
    button.addEventListener("click", () => { setLabel(pair, labelOf(pair) === answer ? null : answer); redraw(pair, button); });
    return button;
  });
  const said = [`Score ${pair.score.toFixed(4)}, threshold ${report.threshold.toFixed(4)}.`];
  if (pair.score === 1) said.push(" Equal keys score 1, whatever the evidence.");
  if (pair.runner_up) said.push(` Next best: ${pair.runner_up} (${pair.runner_score.toFixed(4)}).`);
  const cell = make("td", { role: "cell", colspan: 6 }, make("p", {}, ...said.map((text) => make("bdi", {}, text))));
  if (pair.steps && pair.steps.length) cell.append(waterfall(pair));
  cell.append(make("div", { class: "controls" }, make("span", {}, "Label:"), ...answers));
  return make("tr", { class: "detail", role: "row", id: `detail-${pair.at}` }, cell);
};

const redraw = (pair, button) => {
  const row = document.getElementById(`pair-${pair.at}`);
  row.querySelector(".label").replaceChildren(labelText(pair));
  button.parentElement.querySelectorAll("button").forEach((other) => {
    other.setAttribute("aria-pressed", String(other === button && Boolean(labelOf(pair))));
  });
};

const toggle = (pair, button) => {
  const open = !shown.open.has(pair.at);
  shown.open[open ? "add" : "delete"](pair.at);
  button.setAttribute("aria-expanded", String(open));
  if (open) document.getElementById(`pair-${pair.at}`).after(detail(pair));
  else document.getElementById(`detail-${pair.at}`).remove();
};

// What a narrow window writes before a cell: "left", or "one row" where there is one table.
const nameOf = (heading) => heading.split(":")[0].toLowerCase();

const rowOf = (pair) => {
  const button = make("button", { type: "button", class: "small", "aria-expanded": String(shown.open.has(pair.at)),
    "aria-label": `Why: ${pair.left}` }, "Why");
  button.addEventListener("click", () => toggle(pair, button));
  return make("tr", { id: `pair-${pair.at}`, role: "row" },
    make("td", { role: "cell", "data-name": "left", "data-shown": nameOf(report.left_name) }, ...side(pair.left, pair.left_spans, pair.left_row, pair.n_left)),
    make("td", { role: "cell", "data-name": "right", "data-shown": nameOf(report.right_name) }, ...side(pair.right, pair.right_spans, pair.right_row, pair.n_right || 1)),
    make("td", { role: "cell", class: "number", "data-name": "score" }, pair.score.toFixed(3)),
    make("td", { role: "cell", class: "outcome", "data-name": "outcome" }, outcome(pair)),
    make("td", { role: "cell", class: "label", "data-name": "label" }, labelText(pair)),
    make("td", { role: "cell" }, button));
};

const fill = () => {
  const found = chosen();
  const rows = found.slice(0, shown.rows);
  body.replaceChildren(...rows.flatMap((pair) => (shown.open.has(pair.at) ? [rowOf(pair), detail(pair)] : [rowOf(pair)])));
  document.getElementById("count").textContent = `${whole(found.length)} of ${whole(pairs.length)} pairs`;
  document.getElementById("more").hidden = found.length <= shown.rows;
  document.getElementById("doubtful").setAttribute("aria-pressed", String(shown.sort === "doubt"));
  document.querySelectorAll("#table th[data-sort]").forEach((head) => {
    const own = head.dataset.sort === shown.sort;
    head.setAttribute("aria-sort", own ? (shown.up ? "ascending" : "descending") : "none");
  });
};

const startTable = () => {
  const again = () => { shown.rows = PAGE; fill(); };
  document.getElementById("filter").addEventListener("change", again);
  document.getElementById("search").addEventListener("input", again);
  document.getElementById("controls").addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("more").addEventListener("click", () => { shown.rows += PAGE; fill(); });
  document.getElementById("doubtful").addEventListener("click", () => { Object.assign(shown, { sort: "doubt", up: true }); again(); });
  document.querySelectorAll("#table th[data-sort]").forEach((head) => {
    head.querySelector("button").addEventListener("click", () => {
      shown.up = shown.sort === head.dataset.sort ? !shown.up : head.dataset.sort !== "score";
      shown.sort = head.dataset.sort;
      again();
    });
  });
  state.onCut.push(fill);
  fill();
};
