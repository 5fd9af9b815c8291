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
const ordered = [...run.cells].sort((one, other) => verdictOf(one.v).order - verdictOf(other.v).order || one.index - other.index);
const metricAt = new Map(run.metrics.map((metric, index) => [metric.name, index]));
const metricOf = (name) => run.metrics[metricAt.get(name)] || { name, title: name };
const state = { filter: "", shown: ordered, cell: null, attempt: null, marked: null };

// What is shown is in the address, so that it can be handed on.
const address = (cell, attempt) => {
  const parts = new URLSearchParams();
  if (cell) parts.set("cell", cell.n);
  if (cell && attempt) parts.set("attempt", attempt);
  if (state.filter) parts.set("filter", state.filter);
  return "#" + parts.toString();
};
