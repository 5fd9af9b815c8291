// The data is in script elements of the page, which are read when they are needed.
const parsed = new Map();

const block = (id) => {
  if (!parsed.has(id)) {
    const element = byId(id);
    if (!element) return null;
    parsed.set(id, JSON.parse(element.textContent));
  }
  return parsed.get(id);
};

// What comes after the program in the file may not be there yet.
const whenThere = (id, then) => {
  const found = block(id);
  if (found || document.readyState !== "loading") then(found);
  else document.addEventListener("DOMContentLoaded", () => then(block(id)), { once: true });
};

const run = block("run");
run.cells.forEach((cell, index) => {
  cell.index = index;
  // A cell of a matrix is called after its scenario and its place: `tunnel-3g-7`.
  const suffix = (cell.p || []).map(([, value]) => "-" + value).join("");
  cell.base = suffix && cell.s.endsWith(suffix) ? cell.s.slice(0, -suffix.length) : cell.s;
  cell.text = [cell.n, cell.t, cell.w, cell.l].filter(Boolean).join("\n").toLowerCase();
});
// The results that were put together here, and what is from each.
for (const shard of run.shards || []) for (const index of shard.of || []) {
  const cell = run.cells[index];
  if (!cell) continue;
  cell.from = shard;
  cell.text += "\n" + shard.folder.toLowerCase();
}
const metricAt = new Map(run.metrics.map((metric, index) => [metric.name, index]));
const metricOf = (name) => run.metrics[metricAt.get(name)] || { name, title: name };

// Of a check of a client each row is what it was asked, worst first; some of that was never run, and has no cell.
if (run.checked) {
  const known = new Map(run.cells.map((cell) => [cell.s, cell]));
  run.cells = run.checked.map((check, place) => ({ s: check.n, l: "", c: 0, k: 0, a: 0, r: 0, index: -1 - place, ...known.get(check.n), ...check, u: check.u, w: check.w, place }));
  for (const cell of run.cells) cell.text = [cell.n, cell.t, cell.w, cell.l].filter(Boolean).join("\n").toLowerCase();
  for (const [name, word, many] of [["fail", "Fails", "fail"], ["infrastructure", "Not measured", "not measured"], ["pass", "Holds", "hold"]]) Object.assign(verdicts[name], { word, many });
}

// How far a number is beyond its limit, as a share of it; what has no limit to be near to is beyond all.
const beyond = ([name, measured, limit, , verdict]) => {
  if (verdict === "pass") return -1;
  if (!limit || measured === null) return Infinity;
  const better = metricOf(name.split(".")[0]).better;
  return better === "higher" ? (measured > 0 ? limit / measured - 1 : Infinity) : measured / limit - 1;
};

// Where an expectation failed, no number says how badly: that is the worst.
const badness = (cell) => {
  const broken = (cell.m || []).filter((reading) => reading[4] !== "pass");
  const numbers = broken.map(beyond).filter((share) => share >= 0);
  return numbers.length > 0 && cell.c - cell.k === broken.length ? Math.max(...numbers) : Infinity;
};

// What counts first, the worst verdict, how bad that is, and of one kind what is the furthest beyond its limit.
const larger = (one, other) => (one === other ? 0 : one > other ? -1 : 1);
const byBadness = (one, other) => run.checked ? one.place - other.place
  : (one.v === "pass") - (other.v === "pass") || Boolean(one.g) - Boolean(other.g) || verdictOf(one.v).order - verdictOf(other.v).order
    || (one.z || 0) - (other.z || 0) || larger(one.bad, other.bad) || one.index - other.index;
for (const cell of run.cells) cell.bad = badness(cell);
const ordered = [...run.cells].sort(byBadness);

// A cell by its name, or by that without its place in the matrix where that is one cell's alone.
const cellsCalled = (name) => {
  const exact = run.cells.filter((cell) => cell.n === name);
  return exact.length > 0 ? exact : run.cells.filter((cell) => cell.s === name || cell.base === name);
};
const state = { filter: "", shown: ordered, cell: null, attempt: null, marked: null };

// What is shown is in the address, so that it can be handed on.
const address = (cell, attempt) => {
  const parts = new URLSearchParams();
  if (cell) parts.set("cell", cell.n);
  if (cell && attempt) parts.set("attempt", attempt);
  if (state.filter) parts.set("filter", state.filter);
  return "#" + parts.toString();
};
