// The timeline of an attempt: charts on one axis of time.
const inks = () => {
  const probe = h("span", { class: "offscreen" });
  document.body.append(probe);
  const ink = (name) => { probe.style.color = `var(--${name})`; return getComputedStyle(probe).color; };
  const found = { set: ink("chart-set"), came: ink("chart-came"), told: ink("chart-told"), line: ink("line"), dim: ink("dim"), outage: ink("outage"), gap: ink("gap"), cursor: ink("accent"), panel: ink("panel"), ink: ink("ink"), fail: ink("fail"), pass: ink("pass"), warn: ink("inconclusive") };
  probe.remove();
  return found;
};

// Rows of the rate chart: the set rate as steps, and the delivered rate.
const rateRows = (data) => {
  const rows = new Map();
  const put = (at, index, value) => { const row = rows.get(at) || [null, null]; row[index] = value; rows.set(at, row); };
  const changes = data.conditions || [];
  const rate = (change) => (change[3] ? 0 : change[1] === null ? NaN : change[1]);
  changes.forEach((change, index) => {
    if (index > 0) put(change[0] - 1e-4, 0, rate(changes[index - 1]));
    put(change[0], 0, rate(change));
  });
  if (changes.length) put(data.span[1], 0, rate(changes[changes.length - 1]));
  const rates = data.rates;
  if (rates) (rates.values || []).forEach((value, index) => put(rates.from + (index + 0.5) * rates.step, 1, value));
  return [...rows.entries()].sort((one, other) => one[0] - other[0]).map(([at, row]) => [at, ...row]);
};

// Rows of the byte chart: bytes that the link delivered, and those that the client reported.
// A request that resumes starts from the bytes that had arrived before.
const byteRows = (data) => {
  const delivered = data.delivered || [];
  const before = (at) => { let value = 0; for (const point of delivered) { if (point[0] > at) break; value = point[1]; } return value; };
  const packs = ((data.conduct || {}).packs || []).reduce((sum, pack) => sum + pack.bytes, 0);
  const all = packs || (delivered.length ? delivered[delivered.length - 1][1] : 0);
  const told = [];
  for (const request of data.progress || []) {
    const points = request.points || [];
    const total = request.total || all;
    if (points.length === 0 || !total) continue;
    const held = Math.min(points[0][1], before(points[0][0]) / total);
    points.forEach((point, index) => told.push([point[0], (point[1] - (index ? points[index - 1][1] : held)) * total]));
  }
  told.sort((one, other) => one[0] - other[0]);
  let sum = 0;
  const rows = delivered.map(([at, value]) => [at, value, null]).concat(told.map(([at, more]) => [at, null, (sum += more)]));
  if (delivered.length) rows.push([data.span[1], delivered[delivered.length - 1][1], told.length ? sum : null]);
  if (delivered.length && delivered[0][0] > data.span[0]) rows.push([data.span[0], 0, told.length ? 0 : null]);
  return { rows: rows.sort((one, other) => one[0] - other[0]), hasTold: told.length > 0, total: packs || null };
};

const outagesOf = (data) => {
  const found = ((data.conduct || {}).outages || []).map(([from, until, kind]) => ({ from, until, kind }));
  if (found.length > 0) return found;
  const changes = data.conditions || [];
  changes.forEach((change, index) => { if (change[3]) found.push({ from: change[0], until: (changes[index + 1] || [data.span[1]])[0], kind: change[3] }); });
  return found;
};

// Gaps without a byte, less the outages of the link.
const gapsOf = (data) => {
  let gaps = data.gaps || [];
  for (const { from, until } of outagesOf(data)) gaps = gaps.flatMap((gap) => (gap[1] <= from || gap[0] >= until ? [gap] : [[gap[0], from], [until, gap[1]]].filter((part) => part[1] > part[0])));
  return gaps;
};

const legendItem = (kind, text) => h("span", { class: "key" }, h("span", { class: "swatch " + kind, "aria-hidden": "true" }), text);

const chartFrame = (title, keys) => {
  const value = h("span", { class: "reading", "aria-hidden": "true" });
  const place = h("div", { class: "chart", role: "img", "aria-label": title });
  return { place, value, frame: h("figure", {}, h("figcaption", {}, h("strong", {}, title), keys, value), place) };
};

const showTimeline = (holder, data, attempt) => {
  const frames = [
    chartFrame("Rate", [legendItem("set", "set"), legendItem("came", "delivered"), outagesOf(data).length > 0 && legendItem("outage", "outage"), gapsOf(data).length > 0 && legendItem("gap", "nothing came")]),
    chartFrame("Bytes", [legendItem("came", "delivered"), (data.progress || []).length > 0 && legendItem("told", "reported as progress")]),
  ];
  const lanes = waterfall(data);
  const cut = data.thinned && h("p", { class: "note" }, `A series here has ${data.thinned.toLocaleString("en")} points. Of each of 150 stretches the first, the least, the greatest and the last are drawn.`);
  holder.replaceChildren(...[...frames.map(({ frame }) => frame), lanes.element, h("p", { class: "dim hint" }, "Seconds since the client's start. Drag to zoom, double-click to see all."),
    cut, data.cut && h("p", { class: "note" }, "Not all events of this attempt could be read.")].filter(Boolean));
  if (!run.hasCharts) {
    frames.forEach(({ place }) => place.replaceChildren(h("p", { class: "dim" }, "No chart: dygraphs was missing. The table below has the events.")));
    lanes.draw(data.span, null);
    return;
  }
  drawCharts(holder, data, frames, lanes, attempt);
};

const drawCharts = (holder, data, frames, lanes, attempt) => {
  const colours = inks();
  const outages = outagesOf(data);
  const range = [data.span[0], data.span[1] + Math.max(0.02, (data.span[1] - data.span[0]) * 0.01)];
  const graphs = [];
  let busy = false;
  const shade = (context, area, graph) => {
    const paint = (from, until, colour) => {
      const [left, right] = [graph.toDomXCoord(from), graph.toDomXCoord(until)];
      context.fillStyle = colour;
      context.fillRect(left, area.y, Math.max(1, right - left), area.h);
    };
    for (const [from, until] of gapsOf(data)) paint(from, until, colours.gap);
    for (const outage of outages) paint(outage.from, outage.until, colours.outage);
    if (lanes.cursor !== null) paint(lanes.cursor, lanes.cursor, colours.cursor);
  };
  const common = (frame, unit, names) => ({
    dateWindow: range, legend: "never", labels: ["t", ...names], connectSeparatedPoints: true, drawPoints: false, strokeWidth: 1.6, highlightCircleSize: 3, fillAlpha: 0.16,
    axisLineColor: colours.line, gridLineColor: colours.line, axisLabelFontSize: 11, animatedZooms: false, underlayCallback: shade, includeZero: true, xRangePad: 0, rightGap: 10,
    axes: { x: { axisLabelFormatter: (value) => plain(value, 4) + " s", axisLabelWidth: 60, pixelsPerLabel: 80 }, y: { axisLabelFormatter: (value) => (value === 0 ? "0" : quantity(value, unit, 3)), axisLabelWidth: 74, pixelsPerLabel: 30 } },
    highlightCallback: (event, at, points) => { frame.value.textContent = `${moment(at)} s  ` + points.map((point) => `${point.name} ${quantity(point.yval, unit)}`).join("  "); },
    unhighlightCallback: () => { frame.value.textContent = ""; },
    drawCallback: (graph) => {
      if (busy) return;
      busy = true;
      const shown = graph.xAxisRange();
      for (const other of graphs) if (other !== graph) other.updateOptions({ dateWindow: shown });
      lanes.draw(shown, graph.getArea());
      busy = false;
    },
  });
  const rates = rateRows(data);
  const amounts = byteRows(data);
  const draw = (frame, rows, options) => {
    if (rows.length === 0) return frame.place.replaceChildren(h("p", { class: "dim" }, "No data arrived."));
    graphs.push(new Dygraph(frame.place, rows, options));
  };
  draw(frames[0], rates, { ...common(frames[0], "bits_per_second", ["set", "delivered"]), colors: [colours.set, colours.came], series: { set: { stepPlot: true, strokeWidth: 2 }, delivered: { fillGraph: true } } });
  const rows = amounts.hasTold ? amounts.rows : amounts.rows.map((row) => row.slice(0, 2));
  draw(frames[1], rows, { ...common(frames[1], "bytes", amounts.hasTold ? ["delivered", "told"] : ["delivered"]), colors: [colours.came, colours.told], series: amounts.hasTold ? { delivered: { fillGraph: true, stepPlot: true }, told: { stepPlot: true, strokeWidth: 1.4 } } : { delivered: { fillGraph: true, stepPlot: true } } });
  if (graphs.length === 0) lanes.draw(range, null);
  else lanes.draw(graphs[0].xAxisRange(), graphs[0].getArea());
  holder.graphs = graphs;
  holder.pick = (at) => {
    lanes.cursor = at;
    for (const graph of graphs) graph.updateOptions({});
    lanes.draw(graphs.length ? graphs[0].xAxisRange() : range, graphs.length ? graphs[0].getArea() : null);
  };
  holder.fit = () => {
    for (const graph of graphs) graph.resize();
    lanes.draw(graphs.length ? graphs[0].xAxisRange() : range, graphs.length ? graphs[0].getArea() : null);
  };
  holder.again = () => showTimeline(holder, data, attempt);
};
