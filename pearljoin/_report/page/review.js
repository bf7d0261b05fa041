// Labels of pairs: kept by the browser, set by keyboard, downloaded as CSV.

const STORE = `pearljoin:labels:${report.id}`;
const CSV_COLUMNS = ["left_row", "right_row", "left", "right", "score", "label"];
const FEWEST = 10; // as LabelledThreshold has it

// By key of a pair, a line of the file. Pairs of an earlier report of these tables stay, though this one lacks them.
const labels = new Map();
let blind = false;

const labelOf = (pair) => (labels.get(pair.key) || {}).label;

// Whether the browser keeps nothing: then labels last as long as the page.
let forgets = false;

const restore = () => {
  if (forgets) return;
  try {
    const kept = Object.entries(JSON.parse(localStorage.getItem(STORE) || "{}"));
    labels.clear();
    kept.filter(([, line]) => line && line.label).forEach(([key, line]) => labels.set(key, line));
  } catch {
    showForgets();
  }
  // Their scores are those of this report, where it has them.
  pairs.filter(labelOf).forEach((pair) => labels.set(pair.key, lineOf(pair, labelOf(pair))));
};

const showForgets = () => {
  forgets = true;
  document.getElementById("storage").hidden = false;
};

const lineOf = (pair, label) => Object.fromEntries(CSV_COLUMNS.map((name) => [name, name === "label" ? label : pair[name]]));

// Another report of these tables may be open, at another threshold perhaps: its labels stay.
const change = (edit) => {
  restore();
  edit();
  try {
    if (!forgets) localStorage.setItem(STORE, JSON.stringify(Object.fromEntries(labels)));
  } catch {
    showForgets();
  }
  showProgress();
};

const setLabel = (pair, label) => change(() => {
  if (label === null) labels.delete(pair.key);
  else labels.set(pair.key, lineOf(pair, label));
});

const count = (label) => [...labels.values()].filter((line) => line.label === label).length;

// What is missing before the labels can be used, as LabelledThreshold asks for it.
const advice = (same, different) => {
  const missing = FEWEST - same - different;
  if (missing > 0) return `${missing} more, and they can be used.`;
  if (!same || !different) return `Label some that are ${same ? "different" : "the same"}, too: all labels are of one kind.`;
  return "Enough to be used; more of them narrow the interval.";
};

const progressText = () => {
  const [same, different, unsure] = [count("y"), count("n"), count("u")];
  return `${labels.size} labelled: ${same} the same, ${different} different, ${unsure} unsure. ${advice(same, different)}`;
};

const showProgress = () => {
  const bar = document.getElementById("progress");
  const done = queue.filter(labelOf).length;
  bar.max = Math.max(1, queue.length);
  bar.value = done;
  document.getElementById("progress-text").textContent = progressText();
  document.getElementById("start").textContent = done ? "Continue the review" : "Start the review";
  ["download", "forget"].forEach((id) => { document.getElementById(id).disabled = !labels.size; });
};

// A spreadsheet may take text that starts like this for a formula (OWASP, "CSV Injection").
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const csvCell = (value) => {
  let text = String(value);
  if (typeof value === "string" && FORMULA.test(text)) text = `'${text}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const csvOfLabels = () => {
  const lines = [...labels.values()].map((line) => CSV_COLUMNS.map((name) => csvCell(line[name])).join(","));
  return `${[CSV_COLUMNS.join(","), ...lines].join("\r\n")}\r\n`;
};

const download = () => {
  // The mark at the start makes spreadsheets read the file as UTF-8.
  const address = URL.createObjectURL(new Blob(["\ufeff", csvOfLabels()], { type: "text/csv" }));
  const link = make("a", { href: address, download: "labels.csv" });
  link.click();
  document.querySelector("#review details").open = true; // how to use them
  setTimeout(() => URL.revokeObjectURL(address), 10000);
};

const card = document.getElementById("card");
const queue = report.review.map((at) => pairs[at]);
let place = 0;

const showCard = () => {
  const pair = queue[place];
  const known = labelOf(pair);
  document.getElementById("card-place").textContent = `${place + 1} of ${queue.length}`;
  const sides = [[report.left_name, pair.left, pair.left_spans, pair.left_row], [report.right_name, pair.right, pair.right_spans, pair.right_row]];
  const boxes = sides.map(([name, text, spans, row]) =>
    make("div", {}, make("span", { class: "rows" }, `${name}, row ${row}`), make("span", { class: "text", tabindex: "0" }, marked(text, spans))));
  const reasons = [];
  if (!blind) {
    reasons.push(make("p", {}, `Score ${pair.score.toFixed(3)}: ${pair.is_match ? WORDS.match : WORDS.none} at ${report.threshold.toFixed(3)}.`));
    if (pair.steps && pair.steps.length) reasons.push(waterfall(pair));
  }
  document.getElementById("card-pair").replaceChildren(...boxes);
  document.getElementById("card-reasons").replaceChildren(...reasons);
  card.querySelectorAll("[data-answer]").forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.answer === known)));
};

const move = (by) => {
  place = Math.min(Math.max(place + by, 0), queue.length - 1);
  showCard();
};

const answer = (label) => {
  setLabel(queue[place], label);
  document.getElementById("card-status").textContent = progressText();
  if (place === queue.length - 1) { card.close(); return; }
  move(1);
};

const KEYS = { y: () => answer("y"), n: () => answer("n"), u: () => answer("u"), b: () => move(-1), s: () => move(1),
  ArrowLeft: () => move(-1), ArrowRight: () => move(1) };

const startReview = () => {
  restore();
  showProgress();
  document.getElementById("start").disabled = !queue.length;
  document.getElementById("start").addEventListener("click", () => {
    const open = queue.findIndex((pair) => !labelOf(pair));
    place = open < 0 ? 0 : open;
    document.getElementById("card-status").textContent = progressText();
    card.showModal();
    showCard();
  });
  // Another tab changed what is kept.
  window.addEventListener("storage", (event) => {
    if (event.key !== STORE) return;
    restore();
    showProgress();
    if (!card.open) fill();
  });
  document.getElementById("blind").addEventListener("change", (event) => { blind = event.target.checked; });
  document.getElementById("download").addEventListener("click", download);
  document.getElementById("forget").addEventListener("click", () => {
    if (labels.size && !confirm(`Forget ${labels.size} labels?`)) return;
    change(() => labels.clear());
    fill();
  });
  document.getElementById("close").addEventListener("click", () => card.close());
  document.getElementById("back").addEventListener("click", () => move(-1));
  document.getElementById("ahead").addEventListener("click", () => move(1));
  card.querySelectorAll("[data-answer]").forEach((button) => button.addEventListener("click", () => answer(button.dataset.answer)));
  card.addEventListener("keydown", (event) => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key; // with caps lock, too
    if (event.ctrlKey || event.metaKey || event.altKey || !(key in KEYS)) return;
    event.preventDefault();
    KEYS[key]();
  });
  card.addEventListener("close", fill);
};
