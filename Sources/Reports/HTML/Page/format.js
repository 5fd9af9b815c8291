// Formats numbers as the other reports do.
const scales = {
  seconds: [["s", 1], ["ms", 1e-3], ["µs", 1e-6], ["ns", 1e-9]],
  bytes: [["TB", 1e12], ["GB", 1e9], ["MB", 1e6], ["kB", 1e3], ["B", 1]],
  binary_bytes: [["TiB", 2 ** 40], ["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10], ["B", 1]],
  bits_per_second: [["Gbit/s", 1e9], ["Mbit/s", 1e6], ["kbit/s", 1e3], ["bit/s", 1]],
};

const plain = (value, digits) => {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const before = Math.floor(Math.log10(Math.abs(value))) + 1;
  return String(Number(value.toFixed(Math.min(12, Math.max(0, digits - before)))));
};

const quantity = (value, unit, digits = 3, like = value) => {
  if (value === null || value === undefined) return "never";
  if (unit === "truth") return value === 1 ? "yes" : "no";
  if (unit === "count") return plain(value, Math.max(digits, 6));
  if (unit === "ratio") return plain(value * 100, digits) + "\u00a0%";
  const scale = scales[unit];
  if (!scale) return plain(value, digits);
  const size = Math.abs(like);
  const fitting = scale.find(([, factor]) => size / factor >= 0.9995) || (size === 0 ? scale.find(([, factor]) => factor === 1) : scale[scale.length - 1]);
  return plain(value / fitting[1], digits) + "\u00a0" + fitting[0];
};

const seconds = (value, digits = 3) => quantity(value, "seconds", digits);
const bytes = (value, digits = 3) => quantity(value, "bytes", digits);
const moment = (value) => (value === undefined || value === null ? "" : value.toFixed(3));
const plural = (count, one, many) => count.toLocaleString("en") + " " + (count === 1 ? one : many || one + "s");

const span = (value) => {
  if (value < 120) return seconds(value);
  const minutes = Math.floor(value / 60);
  return minutes < 120 ? `${minutes}\u00a0min ${Math.round(value % 60)}\u00a0s` : `${Math.floor(minutes / 60)} \u00a0h ${minutes % 60}\u00a0min`;
};

const verdicts = {
  fail: { word: "Fail", mark: "✕", many: "failed", order: 0 },
  inconclusive: { word: "Inconclusive", mark: "?", many: "inconclusive", order: 1 },
  infrastructure: { word: "Infrastructure", mark: "!", many: "with infrastructure trouble", order: 2 },
  pass: { word: "Pass", mark: "✓", many: "passed", order: 3 },
  unseen: { word: "Not observable", mark: "–", many: "not observable", order: 4 },
  unfinished: { word: "Unfinished", mark: "…", many: "unfinished", order: 5 },
};
const verdictOf = (name) => verdicts[name] || verdicts.infrastructure;

const icon = (verdict) =>
  h("span", { class: "icon v-" + (verdicts[verdict] ? verdict : "infrastructure"), role: "img", "aria-label": verdictOf(verdict).word, title: verdictOf(verdict).word },
    h("span", { "aria-hidden": "true" }, verdictOf(verdict).mark));
const pill = (verdict) =>
  h("span", { class: "pill v-" + (verdicts[verdict] ? verdict : "infrastructure") },
    h("span", { "aria-hidden": "true" }, verdictOf(verdict).mark), " ", verdictOf(verdict).word);
const badge = (text, title) => h("span", { class: "badge", title }, text);
