// What failed, at the head of the run: which cell, which check, by how much, why, and how to have it again.
const mostFailures = 5;
const mostBroken = 3;

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

// What counts first, the worst verdict, and of one verdict what is the furthest beyond its limit.
const worstFirst = () => {
  const larger = (one, other) => (one === other ? 0 : one > other ? -1 : 1);
  return run.cells.filter((cell) => cell.v !== "pass").sort((one, other) =>
    Boolean(one.g) - Boolean(other.g) || verdictOf(one.v).order - verdictOf(other.v).order || larger(badness(one), badness(other)) || one.index - other.index);
};

// `12.7 s too much, 26 %`: by how much a limit is broken; nothing where the two are no numbers.
const excess = (check) => {
  const { measured, limit, unit, shift } = check.e;
  if (shift !== undefined) return "against the baseline " + shiftText(check.e);
  if (measured === undefined || limit === undefined || unit === "truth" || check.v !== "fail") return null;
  const off = Math.abs(measured - limit);
  const share = limit > 0 && off > 0 ? `, ${quantity(off / limit, "ratio", 2)}` : "";
  return off > 0 ? `${quantity(off, unit)} too ${measured > limit ? "much" : "little"}${share}` : null;
};

const brokenCheck = (check) => h("li", {}, icon(check.v), h("div", {},
  h("p", {}, h("code", {}, nameOf(check)), " ", hasNumber(check)
    ? [h("strong", {}, pairOf(check.e)[0]), " measured, ", h("strong", {}, `${comparator(check)}\u00a0${pairOf(check.e)[1]}`), " asked for", excess(check) && [": ", h("strong", { class: check.v === "fail" ? "bad" : null }, excess(check))]]
    : [h("strong", {}, check.says), ". Asked for: ", h("strong", {}, check.asked)]),
  hasNumber(check) && h("p", { class: "dim" }, `${metricOf(check.e.metric).title}; asked for ${check.asked}${check.basis ? `, where ${check.basis}` : ""}; ${check.says}`)));

const failureBody = (cell, detail) => {
  const broken = (detail.checks || []).filter((check) => check.v !== "pass" && !check.gating);
  const worst = broken.filter((check) => check.v === cell.v);
  const checks = worst.length ? worst : broken;
  // What a number shows by itself, and what is told as a bug, is not said twice.
  const findings = (detail.findings || []).filter((finding) => finding.v === cell.v);
  const bug = (detail.bugs || [])[0];
  return [
    h("ul", {}, checks.slice(0, mostBroken).map(brokenCheck),
      findings.slice(0, checks.length ? 1 : 2).map((finding) => h("li", {}, icon(finding.v), h("div", {}, h("p", {}, finding.text), !bug && h("p", { class: "dim" }, finding.remedy))))),
    checks.length > mostBroken && h("p", { class: "dim" }, `and ${plural(checks.length - mostBroken, "more check")}`),
    bug && h("p", {}, h("code", { class: "bad" }, bug.bug), " ", bug.says, " ", h("span", { class: "dim" }, bug.detail + ".")),
    bug ? h("p", { class: "dim" }, h("strong", {}, "A good client: "), bug.advice, ` (${bug.source})`) : adviceList(detail),
    h("p", { class: "dim" }, detail.replay ? "To have it again:" : "There is no bundle of it. The run that it is of:"), againOf(cell, detail)[0],
  ].flat().filter(Boolean);
};

const failureCard = (cell) => {
  const body = h("div", {});
  whenThere("c" + cell.index, (detail) => { if (detail) body.replaceChildren(...failureBody(cell, detail)); });
  return h("li", { class: "failure v-" + (verdicts[cell.v] ? cell.v : "infrastructure") },
    h("div", { class: "title" }, pill(cell.v), h("h3", {}, h("a", { href: address(cell) }, cell.n)), cell.g && badge(cell.g, "Its verdict does not count for the run"), cell.from && badge("from " + cell.from.folder)),
    cell.t && h("p", { class: "dim" }, cell.t), body);
};

const failures = () => {
  const worst = worstFirst();
  const more = worst.length - mostFailures;
  const counting = worst.filter((cell) => !cell.g);
  const title = counting.some((cell) => cell.v === "fail") ? "What failed, the worst first"
    : counting.length > 0 ? "What did not pass, the worst first" : "What did not pass, and does not count";
  return section(title, worst.length > 0 && h("ul", { class: "failures" }, worst.slice(0, mostFailures).map(failureCard)),
    more > 0 && h("p", {}, h("button", { type: "button", class: "tool", on: { click: () => setFilter("-verdict:pass") } }, `and ${plural(more, "more cell")} that did not pass: list them`)));
};
