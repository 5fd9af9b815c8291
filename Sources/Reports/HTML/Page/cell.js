// The view of one cell: checks, findings, link and attempts.
const comparator = (check) => (/(<=|>=|==|<|>)/.test(check.asked) ? "" : metricOf(check.e.metric).better === "higher" ? "≥" : "≤") || (/(<=|>=|==|<|>)/.exec(check.asked) || [""])[0].replace("<=", "≤").replace(">=", "≥").replace("==", "=");

const gatingBadge = (check) =>
  (check.gating || check.quarantine) && h("div", { class: "gating" }, check.gating && badge(check.gating, "Its verdict does not count for the cell"),
    check.quarantine && ` ${check.gating ? "until" : "was in quarantine until"} ${check.quarantine.until}: ${check.quarantine.reason}`);

const attemptLinks = (numbers, open) => (numbers || []).slice(0, 12).map((number) =>
  h("button", { type: "button", class: "chip", on: { click: () => open(number) }, title: `Attempt ${number}` }, "#" + number))
  .concat((numbers || []).length > 12 ? [h("span", { class: "dim" }, ` and ${numbers.length - 12} more`)] : []);

// The measured value and the limit as texts, with enough digits to differ.
const pairOf = (evidence) => {
  if (evidence.measured === undefined || evidence.limit === undefined)
    return [quantity(evidence.measured, evidence.unit), evidence.limit === undefined ? "unknown" : quantity(evidence.limit, evidence.unit)];
  for (let digits = 3; digits < 9; digits += 1) {
    const pair = [quantity(evidence.measured, evidence.unit, digits), quantity(evidence.limit, evidence.unit, digits)];
    if (pair[0] !== pair[1] || evidence.measured === evidence.limit) return pair;
  }
  return [String(evidence.measured), String(evidence.limit)];
};

const hasNumber = (check) => check.e && check.e.unit !== "truth";

const checkTable = (checks, numbers, open) => {
  const hasNumbers = checks.some(hasNumber);
  const columns = hasNumbers ? [{ name: "Measured", number: true }, { name: "Limit", number: true }, { name: "Attempts, and the limit" }] : [{ name: "Result" }];
  return table([{ name: "" }, { name: "Check" }, ...columns, { name: "Broken in" }], checks.map((check) => checkRows(check, numbers, open, hasNumbers)), { class: "checks" });
};

// All attempts together break a comparison, so this shows the shift instead of attempts.
const whereBroken = (check, open) =>
  (check.broken || []).length === 0 && check.v !== "pass" && check.e && check.e.shift !== undefined
    ? h("span", {}, shiftText(check.e)) : h("div", { class: "chips" }, attemptLinks(check.broken, open));

// The name of a check. It mentions a baseline, to differ from another budget on the same metric.
const nameOf = (check) => check.name + (check.e && check.e.referenceName === "baseline" ? " against the baseline" : "");

const checkRows = (check, numbers, open, hasNumbers) => {
  const evidence = check.e;
  const words = h("tr", { class: "more", hidden: true }, h("td", {}), h("td", { colspan: hasNumbers ? "5" : "3" }, checkDetail(check, numbers)));
  const name = h("button", { type: "button", class: "link name", "aria-expanded": "false", on: { click: (event) => {
    words.hidden = !words.hidden;
    event.currentTarget.setAttribute("aria-expanded", String(!words.hidden));
  } } }, nameOf(check));
  const cells = hasNumber(check)
    ? [h("td", { class: "number", "data-name": "measured" }, pairOf(evidence)[0]), h("td", { class: "number limit", "data-name": "limit" }, h("span", { class: "dim" }, comparator(check) + " "), pairOf(evidence)[1]),
      h("td", { class: "strip" }, stripPlot(evidence, numbers))]
    : [h("td", { colspan: hasNumbers ? "3" : "1", class: "says" }, check.says)];
  return [h("tr", { class: "check" + (check.gating ? " lenient" : "") }, h("td", {}, icon(check.v)), h("th", { scope: "row" }, name, gatingBadge(check)), cells,
    h("td", { class: "where", "data-name": (check.broken || []).length ? "broken in" : null }, whereBroken(check, open))), words];
};

const checkDetail = (check, numbers) => {
  const evidence = check.e;
  const facts = [["Expected", check.asked], ["Result", check.says]];
  if (check.basis) facts.push(["Where", check.basis]);
  if (evidence) {
    facts.push(["Metric", metricOf(evidence.metric).title], ["How it is measured", metricOf(evidence.metric).how]);
    if (evidence.lower !== undefined) facts.push(["Interval, 95 % each end", `${quantity(evidence.lower, evidence.unit)} to ${quantity(evidence.upper, evidence.unit)}`]);
    if (evidence.shift !== undefined) facts.push(["Shift from the baseline", shiftText(evidence)]);
    const values = (evidence.values || []).map((value, index) => `#${numbers[index] ?? index + 1} ${quantity(value, evidence.unit)}`);
    facts.push([metricOf(evidence.metric).exact ? "Each attempt (the same on every machine)" : "Each attempt", values.slice(0, 60).join(" · ") + (values.length > 60 ? ` and ${values.length - 60} more` : "")]);
    if (evidence.baseline) facts.push(["Baseline", evidence.baseline.map((value) => quantity(value, evidence.unit)).join(" · ")]);
  }
  return factList(facts);
};

const shiftText = (evidence) => {
  const sign = (value) => (value > 0 ? "+" : value < 0 ? "−" : "") + quantity(Math.abs(value), evidence.unit);
  const share = evidence.reference ? evidence.shift / evidence.reference : 0;
  return sign(evidence.shift) + (share ? `, ${share > 0 ? "+" : "−"}${quantity(Math.abs(share), "ratio", 2)}` : "") + (evidence.shiftLower !== undefined ? ` (${sign(evidence.shiftLower)} to ${sign(evidence.shiftUpper)})` : "")
    + (evidence.p !== undefined ? `, p = ${plain(evidence.p, 2)}` : "") + (evidence.adjusted !== undefined ? `, ${plain(evidence.adjusted, 2)} by Holm` : "") + (evidence.improved ? ": improved" : "");
};

// One cause of failure: its evidence, and what a good client does.
const failureItem = (failure, detail, open) => {
  const bug = failure.bug;
  return h("li", { class: "bug failure v-fail" },
    h("h3", {}, bug && h("code", {}, bug.bug), " ", failure.says), brokenList(detail, failure), adviceOf(detail, failure),
    bug && h("p", { class: "dim" }, "Seen ", bug.seconds !== undefined && `${seconds(bug.seconds)} after the client's start `, bug.byte !== undefined && `at byte ${bug.byte.toLocaleString("en")} `,
      "in ", attemptLinks(bug.attempts, open), bug.t && h("span", {}, " · events.jsonl ", h("code", {}, `"t":${bug.t}`))));
};

// Findings that belong to none of the failures above.
const otherFindings = (detail) => {
  const told = new Set((detail.failures || []).flatMap((failure) => failure.findings || []));
  return (detail.findings || []).filter((finding, index) => !told.has(index));
};

const checksByBadness = (checks) => [...checks].sort((one, other) => (one.v === "pass") - (other.v === "pass") || Boolean(one.gating) - Boolean(other.gating) || verdictOf(one.v).order - verdictOf(other.v).order);

const adviceList = (detail) => detail.advice && h("ul", { class: "advice" }, detail.advice.map((text) => h("li", {}, h("strong", {}, "A good client: "), text)));

// The commands to repeat a cell: with its bundle, or else its whole run.
const againOf = (cell, detail) => detail.replay
  ? [command(detail.replay, "the command that plays this failure again"),
    detail.elsewhere && h("p", { class: "note" }, "On another machine, in a copy of the folder of these results: "), detail.elsewhere && command(detail.elsewhere, "the command that plays it again on another machine")]
  : [command((cell.from || run).command, "the command line of the run"), h("p", { class: "note" }, "It has no bundle: this repeats its run.")];

const linkRow = (link) => {
  const tolerance = link.set === undefined ? 0 : Math.max(Math.abs(link.set) * link.ratio, link.floor);
  const off = link.set !== undefined && link.measured !== undefined && tolerance > 0 ? (link.measured - link.set) / tolerance : null;
  const x = off === null ? 0 : 60 + Math.max(-58, Math.min(58, off * 40));
  const word = link.ok === true ? "within" : link.ok === false ? "outside" : "unverified";
  return h("tr", {}, h("th", { scope: "row" }, link.name),
    h("td", { class: "number" }, link.set === undefined ? "–" : quantity(link.set, link.unit)),
    h("td", { class: "number" }, link.measured === undefined ? h("span", { class: "dim" }, "unverified") : quantity(link.measured, link.unit)),
    h("td", { class: "number" }, tolerance > 0 ? "± " + quantity(tolerance, link.unit) : ""),
    h("td", {}, off !== null && s("svg", { class: "plot", width: 120, height: 16, viewBox: "0 0 120 16", role: "img", "aria-label": word + " the tolerance" },
      s("rect", { class: "allowed", x: 20, y: 3, width: 80, height: 10, rx: 2 }), s("line", { class: "axis", x1: 60, x2: 60, y1: 1, y2: 15 }),
      s("circle", { class: link.ok === false ? "dot broken filled" : "dot", cx: x, cy: 8, r: 3.5 }))),
    h("td", {}, link.set === undefined ? h("span", { class: "dim" }, "not set") : h("span", { class: link.ok === false ? "bad" : link.ok ? "" : "dim" }, link.ok === false ? "✕ " : "", word)),
    h("td", { class: "dim" }, link.method));
};

const showCell = (cell, detail) => {
  const open = (number) => { location.hash = address(cell, number); };
  const counted = detail.attempts.filter((attempt) => !attempt.left && attempt.arm !== "baseline").map((attempt) => attempt.n);
  const wanted = detail.attempts.find((attempt) => attempt.n === state.attempt) || detail.attempts.find((attempt) => (detail.checks || []).some((check) => (check.broken || []).includes(attempt.n))) || detail.attempts.find((attempt) => attempt.n === counted[0]) || detail.attempts[0];
  const holder = h("div", { id: "attempt" });
  byId("main").replaceChildren(h("article", { class: "cell" },
    h("header", { class: "head" }, h("div", { class: "title" }, pill(cell.v), h("h1", {}, cell.n), cell.g && badge(cell.g, "Its verdict does not count for the run")),
      cell.t && h("p", { class: "subtitle" }, cell.t),
      cell.from && h("p", { class: "dim" }, "From the results in ", h("strong", {}, cell.from.folder)),
      detail.link && h("p", { class: "dim" }, detail.link, detail.slice && ` · ${detail.slice}`, detail.storage && ` · storage ${detail.storage}`, ` · ${span(cell.d)}`),
      detail.quarantine && h("p", { class: "note" }, `In quarantine until ${detail.quarantine.until}: ${detail.quarantine.reason}`),
      detail.again && h("p", { class: "note" }, "This is the second try. The first one gave no verdict: " + detail.again),
      detail.baseline && h("p", { class: "note" }, detail.baseline)),
    cell.w && run.checked && h("p", {}, cell.w),
    section("What failed", detail.failures && h("ul", { class: "bugs" }, detail.failures.map((failure) => failureItem(failure, detail, open)))),
    section("Findings", otherFindings(detail).length > 0 && h("ul", { class: "findings" }, otherFindings(detail).slice(0, 50).map((finding) => findingItem(finding, open)))),
    section("Checks", detail.checks && checkTable(checksByBadness(detail.checks), counted, open)),
    section("Again", cell.v !== "pass" && cell.index >= 0 && againOf(cell, detail)),
    section("Attempts", attemptTable(detail, wanted, open), holder),
    section("Link: configured and measured", detail.links && table(
      [{ name: "Property" }, { name: "Set", number: true }, { name: "Measured", number: true }, { name: "Tolerance", number: true }, { name: "" }, { name: "" }, { name: "How" }],
      detail.links.map(linkRow), { class: "links" }), detail.why && h("p", { class: "dim" }, "Backend: " + detail.why)),
    section("Notes", detail.notes && h("ul", { class: "notes" }, detail.notes.map((note) => h("li", {}, note))))));
  if (wanted) showAttempt(holder, cell, detail, wanted);
  return wanted;
};
