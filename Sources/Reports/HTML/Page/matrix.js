// Tables of a scenario's cells over the axes of its matrix.
const axesOf = (cells) => {
  const axes = new Map();
  for (const cell of cells) for (const [axis, value] of cell.p) {
    if (!axes.has(axis)) axes.set(axis, []);
    if (!axes.get(axis).includes(value)) axes.get(axis).push(value);
  }
  return [...axes.entries()].map(([name, values]) => ({ name, values }));
};

const place = (cell, axis) => (cell.p.find(([name]) => name === axis) || [])[1];

const matrixCell = (cell, measure) => {
  const reading = (cell.m || []).find(([name]) => name === measure);
  const value = reading ? quantity(reading[1], reading[3]) : "";
  const share = reading && reading[2] > 0 && reading[1] !== null ? reading[1] / reading[2] : null;
  return h("a", { href: address(cell), class: "spot v-" + (reading ? reading[4] : cell.v), title: cell.w || cell.n },
    icon(reading ? reading[4] : cell.v), h("span", { class: "value" }, value),
    share !== null && h("span", { class: "gauge", "aria-hidden": "true" }, h("span", { style: `width:${Math.min(100, share * 100).toFixed(1)}%` })));
};

const matrix = (scenario, cells, measure) => {
  const axes = axesOf(cells);
  // The axis with the most values makes the rows; the other axes make the columns.
  const down = axes.reduce((best, axis) => (axis.values.length > best.values.length ? axis : best), axes[0]);
  const across = axes.filter((axis) => axis !== down);
  const key = (cell) => across.map((axis) => place(cell, axis.name) ?? "").join("\u0000");
  const columns = [...new Map(cells.map((cell) => [key(cell), cell])).entries()];
  const byPlace = new Map(cells.map((cell) => [place(cell, down.name) + "\u0001" + key(cell), cell]));
  return scrolling(h("table", { class: "matrix" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "axis" }, across.length > 0 && h("div", { class: "across" }, across.map((axis) => axis.name).join(", ") + " →"), h("div", {}, down.name + " ↓")),
      columns.map(([, cell]) => h("th", { scope: "col" }, across.length ? across.map((axis) => h("div", { title: axis.name }, place(cell, axis.name) ?? "–")) : "")))),
    h("tbody", {}, down.values.map((value) => h("tr", {}, h("th", { scope: "row" }, value),
      columns.map(([column]) => {
        const cell = byPlace.get(value + "\u0001" + column);
        return h("td", {}, cell ? matrixCell(cell, measure) : h("span", { class: "dim" }, "–"));
      }))))));
};

const matrices = () => {
  const scenarios = new Map();
  for (const cell of run.cells) if (cell.p) {
    if (!scenarios.has(cell.base)) scenarios.set(cell.base, []);
    scenarios.get(cell.base).push(cell);
  }
  return [...scenarios.entries()].slice(0, 40).map(([scenario, cells]) => {
    const measures = [...new Set(cells.flatMap((cell) => (cell.m || []).map(([name]) => name)))];
    const holder = h("div", {});
    const show = (measure) => holder.replaceChildren(matrix(scenario, cells, measure));
    const broken = cells.flatMap((cell) => (cell.m || []).filter((reading) => reading[4] !== "pass").map(([name]) => name));
    const first = broken[0] || measures.find((name) => name.startsWith("time_to_available")) || measures[0] || "";
    const choice = h("select", { "aria-label": "What the matrix shows", on: { change: (event) => show(event.target.value) } },
      h("option", { value: "" }, "verdict of the cell"), measures.map((name) => h("option", { value: name, selected: name === first }, name)));
    show(first);
    return h("section", {}, h("div", { class: "bar" }, h("h2", {}, "Matrix ", h("span", { class: "plain" }, scenario)), choice), holder);
  });
};
