// The charts, by Vega-Lite. They are drawn anew where the page turns dark or light.

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

const look = () => ({
  background: null,
  font: "system-ui, sans-serif",
  view: { stroke: null },
  axis: {
    labelColor: colour("soft"), titleColor: colour("soft"), gridColor: colour("line"), domainColor: colour("line"),
    tickColor: colour("line"), labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal",
  },
  legend: { labelColor: colour("ink"), titleColor: colour("soft"), labelFontSize: 12, orient: "top", title: null },
  text: { color: colour("ink"), fontSize: 12 },
});

const draw = (holder, spec) => {
  const full = { width: holder.clientWidth, autosize: { type: "fit", contains: "padding" }, ...spec, config: look() };
  // The holder's own label says it in words; Vega would label the element that it draws in.
  const inner = make("div", { "aria-hidden": "true" });
  holder.replaceChildren(inner);
  const view = new vega.View(vega.parse(vegaLite.compile(full).spec), { container: inner, renderer: "svg" });
  return view.runAsync().then(() => view);
};

// The threshold in force is dashed; the one that is tried is drawn where it is another.
const thresholds = () => {
  const rule = (at, mark, ...filters) => ({
    data: { values: [{}] },
    transform: [{ calculate: at, as: "at" }, ...filters],
    encoding: { x: { field: "at", type: "quantitative" } },
    mark: { type: "rule", strokeWidth: 2, ...mark },
  });
  const force = String(report.threshold);
  return [
    rule(force, { strokeDash: [5, 4], color: colour("ink") }),
    rule("cut", { color: colour("against") }, { filter: `datum.at !== ${force}` }),
  ];
};

// Every tenth is labelled where there is room for it.
const shareAxis = () => ({ tickCount: innerWidth < 620 ? 5 : 10, labelFlush: false });

const histogramSpec = () => {
  const { counts, unit } = report.histogram;
  const step = 1 / counts.length;
  const values = counts.map((count, at) => ({ from: at * step, to: (at + 1) * step, count }));
  return {
    height: 210,
    params: [{ name: "cut", value: state.cut }],
    layer: [
      {
        data: { values },
        mark: { type: "bar", binSpacing: 1, tooltip: true },
        encoding: {
          x: { field: "from", type: "quantitative", bin: { binned: true }, title: "score", scale: { domain: [0, 1] }, axis: shareAxis() },
          x2: { field: "to" },
          y: { field: "count", type: "quantitative", scale: { type: "sqrt", domain: [0, Math.max(1, ...counts)], nice: true }, axis: { tickCount: 5, tickMinStep: 1, format: "~s" },
            title: `${unit}, square-root scale` },
          color: { condition: { test: "datum.from >= cut - 0.5 / " + counts.length, value: colour("bar") }, value: colour("below") },
        },
      },
      ...thresholds(),
    ],
  };
};

const qualitySpec = () => {
  const { step, matches, precision, recall } = report.grid;
  const values = [];
  matches.forEach((_, at) => {
    if (precision[at] !== null) values.push({ threshold: at * step, value: precision[at], what: "expected precision" });
    if (recall[at] !== null) values.push({ threshold: at * step, value: recall[at], what: "expected recall" });
  });
  const colours = [colour("for"), colour("against")];
  return {
    height: 210,
    params: [{ name: "cut", value: state.cut }],
    layer: [
      {
        data: { values },
        mark: { type: "line", strokeWidth: 2.5, clip: true },
        encoding: {
          x: { field: "threshold", type: "quantitative", title: "threshold", scale: { domain: [0, 1] }, axis: shareAxis() },
          y: { field: "value", type: "quantitative", title: null, scale: { domain: [0, 1] }, axis: { format: ".0%", tickCount: 5 } },
          color: { field: "what", type: "nominal", scale: { range: colours } },
          strokeDash: { field: "what", type: "nominal", scale: { range: [[1, 0], [7, 4]] } },
        },
      },
      ...thresholds(),
    ],
  };
};

// What spoke for and against a pair: each step begins where the one before it ended. Those that round to 0 are not drawn.
const waterfallSpec = (pair, width) => {
  let sum = 0;
  const steps = pair.steps.map(([step, effect], order) => {
    const from = sum;
    sum += effect;
    const side = effect < 0 ? "against" : "for";
    return { from, to: sum, shown: signed(effect), side, order };
  });
  const values = steps.filter(({ shown }) => shown !== signed(0));
  values.push({ from: 0, to: sum, shown: signed(sum), side: "total", order: steps.length });
  // By number, as a key column may be called anything, "__proto__" too.
  const names = [...pair.steps.map(([step]) => report.step_names[step]), report.total_name];
  const y = { field: "order", type: "ordinal", title: null,
    axis: { ticks: false, labelLimit: 130, domain: false, labelExpr: "names[datum.value]" } };
  const ends = values.flatMap(({ from, to }) => [from, to]);
  // Room for the numbers at both ends, some 45 pixels beside the 120 of the names.
  const room = (45 / Math.max(width - 210, 90)) * (Math.max(...ends) - Math.min(...ends)) + 0.01;
  const domain = [Math.min(...ends) - room, Math.max(...ends) + room];
  return {
    height: 22 * values.length + 34,
    params: [{ name: "names", value: names }],
    data: { values },
    encoding: { y },
    layer: [
      {
        mark: { type: "bar", height: 13 },
        encoding: {
          x: { field: "from", type: "quantitative", title: `← against · ${report.steps_unit} · for →`, scale: { domain, nice: false, zero: false }, axis: { tickCount: 5 } },
          x2: { field: "to" },
          color: { field: "side", type: "nominal", legend: null,
            scale: { domain: ["for", "against", "total"], range: [colour("for"), colour("against"), colour("total")] } },
        },
      },
      { mark: { type: "text", align: "left", dx: 4 }, transform: [{ filter: "datum.to >= datum.from" }],
        encoding: { x: { field: "to", type: "quantitative" }, text: { field: "shown" } } },
      { mark: { type: "text", align: "right", dx: -4 }, transform: [{ filter: "datum.to < datum.from" }],
        encoding: { x: { field: "to", type: "quantitative" }, text: { field: "shown" } } },
    ],
  };
};

const waterfall = (pair) => {
  const said = pair.steps.map(([step, effect]) => `${report.step_names[step]} ${signed(effect)}`).join(", ");
  const holder = make("div", { class: "chart steps", role: "img", "aria-label": `What spoke for and against, in ${report.steps_unit}: ${said}` });
  requestAnimationFrame(() => draw(holder, waterfallSpec(pair, holder.clientWidth)));
  return holder;
};

const drawCharts = async () => {
  const wanted = [["histogram", histogramSpec], ["quality", qualitySpec]];
  const found = wanted.filter(([id]) => document.getElementById(id));
  const views = await Promise.all(found.map(([id, spec]) => draw(document.getElementById(id), spec())));
  state.views = views;
};
