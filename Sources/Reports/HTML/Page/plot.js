// Plots the value of each attempt as a dot on a line, with the budget's limit.
const plotSize = { width: 300, height: 47, side: 12, middle: 17 };

const spots = (evidence) => {
  const values = (evidence.values || []).filter((value) => value !== null);
  const baseline = (evidence.baseline || []).filter((value) => value !== null);
  return { values, baseline, all: [...values, ...baseline, evidence.limit, evidence.lower, evidence.upper, evidence.measured].filter((value) => Number.isFinite(value)) };
};

// Stacks dots that would overlap, in up to four levels.
const stacked = (values, x, distance = 6) => {
  const rows = [];
  return values.map((value) => {
    const at = x(value);
    let level = rows.findIndex((last) => Math.abs(at - last) >= distance);
    if (level < 0) level = rows.length < 4 ? rows.push(0) - 1 : 3;
    rows[level] = at;
    return { at, level };
  });
};

const describe = (evidence) => {
  const { values, baseline } = spots(evidence);
  const ends = values.length ? `${quantity(Math.min(...values), evidence.unit)} to ${quantity(Math.max(...values), evidence.unit)}` : "no number";
  const never = (evidence.values || []).length - values.length;
  return `${plural(values.length, "attempt")}: ${ends}`
    + (never ? `, ${never} without a number` : "")
    + (evidence.measured !== undefined ? `; ${evidence.statistic} ${quantity(evidence.measured, evidence.unit)}` : "")
    + (evidence.limit !== undefined ? `; limit ${quantity(evidence.limit, evidence.unit)}` : "")
    + (evidence.lower !== undefined ? `; interval ${quantity(evidence.lower, evidence.unit)} to ${quantity(evidence.upper, evidence.unit)}` : "")
    + (baseline.length ? `; baseline ${quantity(Math.min(...baseline), evidence.unit)} to ${quantity(Math.max(...baseline), evidence.unit)}` : "");
};

const stripPlot = (evidence, numbers, size = plotSize) => {
  const { all } = spots(evidence);
  if (all.length === 0 || evidence.unit === "truth") return null;
  const { width, side, middle } = size;
  const height = evidence.baseline ? size.height + 9 : size.height;
  let [from, until] = [Math.min(...all), Math.max(...all)];
  const room = (until - from) * 0.06 || Math.abs(until) * 0.1 || 1;
  [from, until] = [from === 0 ? 0 : from - room, until + room];
  const x = (value) => side + ((value - from) / (until - from)) * (width - 2 * side);
  const isBroken = (value) => evidence.limit !== undefined && (value === null || (metricOf(evidence.metric).better === "higher" ? value < evidence.limit : value > evidence.limit));
  const dots = [];
  const values = evidence.values || [];
  const known = values.filter((value) => value !== null);
  const at = stacked(known, x);
  let index = 0;
  values.forEach((value, attempt) => {
    const where = value === null ? { at: width - 5, level: 0 } : at[index++];
    const y = middle - where.level * 5;
    const title = s("title", {}, `Attempt ${numbers[attempt] ?? attempt + 1}: ${quantity(value, evidence.unit)}`);
    dots.push(isBroken(value)
      ? s("path", { class: "dot broken", d: `M${where.at - 3} ${y - 3}l6 6m0 -6l-6 6` }, title)
      : s("circle", { class: "dot", cx: where.at, cy: y, r: 3 }, title));
  });
  const limit = evidence.limit !== undefined && x(evidence.limit);
  const bad = metricOf(evidence.metric).better === "higher" ? [0, limit] : [limit, width];
  return s("svg", { class: "plot", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": describe(evidence) },
    limit !== false && s("rect", { class: "beyond", x: bad[0], y: 2, width: Math.max(0, bad[1] - bad[0]), height: middle + 8 }),
    s("line", { class: "axis", x1: 0, x2: width, y1: middle + 10, y2: middle + 10 }),
    evidence.lower !== undefined && evidence.upper !== undefined && s("line", { class: "interval", x1: x(evidence.lower), x2: x(evidence.upper), y1: middle + 7, y2: middle + 7 }),
    limit !== false && s("line", { class: "limit", x1: limit, x2: limit, y1: 2, y2: middle + 13 }),
    dots,
    evidence.measured !== undefined && s("path", { class: "measured", d: `M${x(evidence.measured)} ${middle + 10}l-3.5 6h7z` }),
    (evidence.baseline || []).filter((value) => value !== null).map((value) =>
      s("path", { class: "baseline", d: `M${x(value)} ${middle + 20}l3.5 3.5l-3.5 3.5l-3.5 -3.5z` }, s("title", {}, "Baseline: " + quantity(value, evidence.unit)))),
    labels(evidence, x, width, height));
};

// Labels of the least and the greatest value. The column next to it has the limit.
const labels = (evidence, x, width, height) => {
  const { values } = spots(evidence);
  if (values.length === 0) return null;
  const [least, greatest] = [Math.min(...values), Math.max(...values)];
  const text = (value, anchor, at) => s("text", { x: Math.min(width - 1, Math.max(1, at)), y: height - 2, "text-anchor": anchor }, quantity(value, evidence.unit));
  if (x(greatest) - x(least) < 80) {
    const middle = (x(least) + x(greatest)) / 2;
    const anchor = middle < width * 0.3 ? "start" : middle > width * 0.7 ? "end" : "middle";
    return text(anchor === "end" ? greatest : least, anchor, anchor === "start" ? x(least) - 3 : anchor === "end" ? x(greatest) + 3 : middle);
  }
  return [text(least, "start", x(least) - 3), text(greatest, "end", x(greatest) + 3)];
};
