// Labels of pairs: kept by the browser, set by keyboard, downloaded as CSV.

const STORE = `pearljoin:labels:${report.id}`;
const labels = new Map();
let blind = false;

const restore = () => {
  try {
    Object.entries(JSON.parse(localStorage.getItem(STORE) || "{}")).forEach(([key, label]) => labels.set(key, label));
  } catch {
    document.getElementById("storage").hidden = false;
  }
};

const keep = () => {
  try {
    localStorage.setItem(STORE, JSON.stringify(Object.fromEntries(labels)));
  } catch {
    document.getElementById("storage").hidden = false;
  }
};

const setLabel = (pair, label) => {
  if (label === null) labels.delete(pair.key);
  else labels.set(pair.key, label);
  keep();
  showProgress();
};

const counted = () => {
  const known = pairs.filter((pair) => labels.has(pair.key)).map((pair) => labels.get(pair.key));
  return { n: known.length, y: known.filter((l) => l === "y").length, no: known.filter((l) => l === "n").length };
};

const progressText = () => {
  const { n, y, no } = counted();
  return `${n} of ${queue.length} labelled: ${y} the same, ${no} different, ${n - y - no} unsure`;
};

const showProgress = () => {
  const bar = document.getElementById("progress");
  bar.max = Math.max(1, queue.length);
  bar.value = Math.min(counted().n, bar.max);
  document.getElementById("progress-text").textContent = progressText();
};

// A spreadsheet may take text that starts like this for a formula (OWASP, "CSV Injection").
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const csvCell = (value) => {
  let text = String(value);
  if (typeof value === "string" && FORMULA.test(text)) text = `'${text}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const csvOfLabels = () => {
  const lines = ["left_row,right_row,left,right,score,label"];
  pairs.filter((pair) => labels.has(pair.key)).forEach((pair) => {
    const cells = [pair.left_row, pair.right_row, pair.left, pair.right, pair.score, labels.get(pair.key)];
    lines.push(cells.map(csvCell).join(","));
  });
  return `${lines.join("\r\n")}\r\n`;
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
  const known = labels.get(pair.key);
  document.getElementById("card-place").textContent = `${place + 1} of ${queue.length}`;
  const sides = [[report.left_name, pair.left, pair.left_spans, pair.left_row], [report.right_name, pair.right, pair.right_spans, pair.right_row]];
  const boxes = sides.map(([name, text, spans, row]) =>
    make("div", {}, make("span", { class: "rows" }, `${name}, row ${row}`), make("span", { class: "text", tabindex: "0" }, marked(text, spans))));
  const content = [make("div", { class: "two" }, ...boxes)];
  if (!blind) {
    content.push(make("p", {}, `Score ${pair.score.toFixed(3)}: ${pair.is_match ? WORDS.match : WORDS.none} at ${report.threshold.toFixed(3)}.`));
    if (pair.steps && pair.steps.length) content.push(waterfall(pair));
  }
  document.getElementById("card-body").replaceChildren(...content);
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
    const open = queue.findIndex((pair) => !labels.has(pair.key));
    place = open < 0 ? 0 : open;
    document.getElementById("card-status").textContent = progressText();
    card.showModal();
    showCard();
  });
  document.getElementById("blind").addEventListener("change", (event) => { blind = event.target.checked; });
  document.getElementById("download").addEventListener("click", download);
  document.getElementById("forget").addEventListener("click", () => {
    if (labels.size && !confirm(`Forget ${labels.size} labels?`)) return;
    labels.clear();
    keep();
    showProgress();
    fill();
  });
  document.getElementById("close").addEventListener("click", () => card.close());
  document.getElementById("back").addEventListener("click", () => move(-1));
  document.getElementById("ahead").addEventListener("click", () => move(1));
  card.querySelectorAll("[data-answer]").forEach((button) => button.addEventListener("click", () => answer(button.dataset.answer)));
  card.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  card.addEventListener("close", fill);
};
