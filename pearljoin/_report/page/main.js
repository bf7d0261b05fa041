// Start: the text of the page stands already, so it is painted before the charts are drawn.

const showFigures = (row, threshold, before) => {
  const figures = figuresAt(threshold);
  const change = figures.matches - before.matches;
  const cells = [threshold.toFixed(3), whole(figures.matches), change > 0 ? whole(change) : "–", change < 0 ? whole(-change) : "–"];
  if (report.grid.precision) cells.push(share(figures.precision), share(figures.recall));
  const head = row.querySelector("th");
  head.textContent = `${row.id === "tried" ? "tried" : "in force"}: ${cells.shift()}`;
  row.replaceChildren(head, ...cells.map((text) => make("td", {}, text)));
};

const startSlider = () => {
  const slider = document.getElementById("cut");
  const show = () => {
    document.getElementById("cut-value").textContent = state.cut.toFixed(3);
    showFigures(document.getElementById("in-force"), report.threshold, report.grid.in_force);
    showFigures(document.getElementById("tried"), state.cut, report.grid.in_force);
    (state.views || []).forEach((view) => view.signal("cut", state.cut).runAsync());
  };
  slider.addEventListener("input", () => setCut(Number(slider.value)));
  document.getElementById("cut-reset").addEventListener("click", () => {
    slider.value = report.threshold;
    setCut(report.threshold);
  });
  slider.value = report.threshold;
  state.onCut.push(show);
  show();
};

startReview();
startTable();
startSlider();
requestAnimationFrame(() => setTimeout(drawCharts));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { drawCharts(); fill(); });
let width = innerWidth;
addEventListener("resize", () => {
  if (innerWidth === width) return;
  width = innerWidth;
  drawCharts();
});
