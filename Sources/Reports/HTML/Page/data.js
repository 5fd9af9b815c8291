// The data is in script elements of the page. Each is parsed when it is needed.
const parsed = new Map();

const block = (id) => {
  if (!parsed.has(id)) {
    const element = byId(id);
    if (!element) return null;
    parsed.set(id, JSON.parse(element.textContent));
  }
  return parsed.get(id);
};

// Calls `then` with a block once the browser has loaded it: blocks follow this script in the file.
const whenThere = (id, then) => {
  const found = block(id);
  if (found || document.readyState !== "loading") then(found);
  else document.addEventListener("DOMContentLoaded", () => then(block(id)), { once: true });
};

const run = block("run");
run.cells.forEach((cell, index) => {
  cell.index = index;
  // A matrix cell is named after its scenario and its point: `tunnel-3g-7`.
  const suffix = (cell.p || []).map(([, value]) => "-" + value).join("");
  cell.base = suffix && cell.s.endsWith(suffix) ? cell.s.slice(0, -suffix.length) : cell.s;
  cell.text = [cell.n, cell.t, cell.w, cell.l].filter(Boolean).join("\n").toLowerCase();
});
// Merged results: each cell gets the result that it is from.
for (const shard of run.shards || []) for (const index of shard.of || []) {
  const cell = run.cells[index];
  if (!cell) continue;
  cell.from = shard;
  cell.text += "\n" + shard.folder.toLowerCase();
}
const metricAt = new Map(run.metrics.map((metric, index) => [metric.name, index]));
const metricOf = (name) => run.metrics[metricAt.get(name)] || { name, title: name };

// In a check of a client each row is one question, worst first. A question that was never run has no cell.
if (run.checked) {
  const known = new Map(run.cells.map((cell) => [cell.s, cell]));
  run.cells = run.checked.map((check, place) => ({ s: check.n, l: "", c: 0, k: 0, a: 0, r: 0, index: -1 - place, ...known.get(check.n), ...check, u: check.u, w: check.w, place }));
  for (const cell of run.cells) cell.text = [cell.n, cell.t, cell.w, cell.l].filter(Boolean).join("\n").toLowerCase();
  for (const [name, word, many] of [["fail", "Fails", "fail"], ["infrastructure", "Not measured", "not measured"], ["pass", "Holds", "hold"]]) Object.assign(verdicts[name], { word, many });
}

// How far a number is beyond its limit, as a share of the limit; Infinity without a limit or a number.
const beyond = ([name, measured, limit, , verdict]) => {
  if (verdict === "pass") return -1;
  if (!limit || measured === null) return Infinity;
  const better = metricOf(name.split(".")[0]).better;
  return better === "higher" ? (measured > 0 ? limit / measured - 1 : Infinity) : measured / limit - 1;
};

// How badly a cell failed: the largest excess of its budgets; Infinity if an expectation failed.
const badness = (cell) => {
  const broken = (cell.m || []).filter((reading) => reading[4] !== "pass");
  const numbers = broken.map(beyond).filter((share) => share >= 0);
  return numbers.length > 0 && cell.c - cell.k === broken.length ? Math.max(...numbers) : Infinity;
};

// Sorts cells: failed before passed, those that count first, then worst verdict and largest excess first.
const larger = (one, other) => (one === other ? 0 : one > other ? -1 : 1);
const byBadness = (one, other) => run.checked ? one.place - other.place
  : (one.v === "pass") - (other.v === "pass") || Boolean(one.g) - Boolean(other.g) || verdictOf(one.v).order - verdictOf(other.v).order
    || (one.z || 0) - (other.z || 0) || larger(one.bad, other.bad) || one.index - other.index;
for (const cell of run.cells) cell.bad = badness(cell);
const ordered = [...run.cells].sort(byBadness);

// The cells with this name: full names first, else names without the point in the matrix.
const cellsCalled = (name) => {
  const exact = run.cells.filter((cell) => cell.n === name);
  return exact.length > 0 ? exact : run.cells.filter((cell) => cell.s === name || cell.base === name);
};
const state = { filter: "", shown: ordered, cell: null, attempt: null, marked: null };

// The address holds the current view, so that a link to it can be shared.
const address = (cell, attempt) => {
  const parts = new URLSearchParams();
  if (cell) parts.set("cell", cell.n);
  if (cell && attempt) parts.set("attempt", attempt);
  if (state.filter) parts.set("filter", state.filter);
  return "#" + parts.toString();
};
