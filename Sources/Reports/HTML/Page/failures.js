// The failures at the top of the run's page: cell, check, excess, cause, and the command to repeat it.
const mostFailures = 5;
const mostGroups = 40;
const mostMembers = 3;
const mostBroken = 3;

// The excess over a limit, such as `12.7 s too much, 26 %`; null if one of the two is no number.
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

// The checks and findings of one cause. With checks only the first finding is shown.
const brokenList = (detail, failure) => {
  const checks = (failure.checks || []).map((index) => detail.checks[index]);
  // The check already shows the exit status.
  const findings = (failure.findings || []).map((index) => detail.findings[index]).filter((finding) => finding.name !== "client_failed" || checks.length === 0);
  return [
    h("ul", {}, checks.slice(0, mostBroken).map(brokenCheck),
      findings.slice(0, checks.length ? 1 : 2).map((finding) => h("li", {}, icon(finding.v), h("div", {}, h("p", {}, finding.text), !failure.bug && h("p", { class: "dim" }, finding.remedy))))),
    checks.length > mostBroken && h("p", { class: "dim" }, `and ${plural(checks.length - mostBroken, "more check")}`),
    failure.bug && h("p", {}, failure.bug.detail + "."),
  ].filter(Boolean);
};

const adviceOf = (detail, failure) => failure.bug
  ? h("p", { class: "dim" }, h("strong", {}, "A good client: "), failure.bug.advice, ` (${failure.bug.source})`) : adviceList(detail);

const againPart = (cell, detail) => [h("p", { class: "dim" }, detail.replay ? "To repeat it:" : "It has no bundle. To repeat its run:"), againOf(cell, detail)[0]];

// The last line of the client's output, in the first attempt that has any: in a stack trace it names the error.
const saidPart = (detail) => {
  const attempt = (detail.attempts || []).find((one) => !one.left && (one.said || []).length > 0);
  return attempt && h("p", {}, "The client said: ", h("code", {}, attempt.said[attempt.said.length - 1]));
};

const cellTitle = (cell) => [h("a", { class: "of", href: address(cell) }, cell.n), cell.g && badge(cell.g, "Its verdict does not count for the run"), cell.from && badge("from " + cell.from.folder)];

// Cells that failed for one cause: the cause, the evidence of the first cells, and what a good client does.
const groupCard = ({ says, cells }) => {
  const name = h("span", {});
  const advice = h("div", {});
  const members = cells.slice(0, mostMembers).map((cell, index) => {
    const body = h("div", {});
    whenThere("c" + cell.index, (detail) => {
      const failures = (detail && detail.failures) || [];
      const own = failures.filter((failure) => failure.says === says);
      const shown = own.length ? own : failures;
      if (shown.length === 0) return body.replaceChildren(h("p", {}, cell.w || ""));
      body.replaceChildren(...shown.flatMap((failure) => brokenList(detail, failure)), ...[saidPart(detail), ...againPart(cell, detail)].filter(Boolean));
      if (index > 0) return;
      if (shown[0].bug) name.replaceChildren(h("code", { class: "bad" }, shown[0].bug.bug));
      advice.replaceChildren(...[adviceOf(detail, shown[0])].filter(Boolean));
    });
    return h("div", { class: "member" }, h("h4", {}, cellTitle(cell)), cell.t && h("p", { class: "dim" }, cell.t), body);
  });
  const rest = cells.slice(mostMembers);
  return h("li", { class: "failure v-fail" }, h("div", { class: "title" }, pill("fail"), h("h3", {}, says), name, cells.length > 1 && h("span", { class: "dim" }, `in ${plural(cells.length, rowName)}`)),
    members, rest.length > 0 && h("p", {}, "and ", rest.slice(0, 50).map((cell) => [h("a", { class: "of", href: address(cell) }, cell.n), " "]), rest.length > 50 && `and ${rest.length - 50} more`), advice);
};

// A cell that neither passed nor failed, or that does not count.
const otherCard = (cell) => {
  const body = h("div", {});
  whenThere("c" + cell.index, (detail) => {
    if (!detail) return body.replaceChildren(h("p", {}, cell.w || ""));
    const at = (list) => (list || []).map((one, index) => [one, index]).filter(([one]) => one.v === cell.v && !one.gating).map(([, index]) => index);
    const all = (detail.failures || []).length ? detail.failures : [{ checks: at(detail.checks), findings: at(detail.findings) }];
    body.replaceChildren(...all.flatMap((failure) => [...brokenList(detail, failure), adviceOf(detail, failure)]).filter(Boolean), ...againPart(cell, detail));
  });
  return h("li", { class: "failure v-" + (verdicts[cell.v] ? cell.v : "infrastructure") },
    h("div", { class: "title" }, pill(cell.v), h("h3", {}, cellTitle(cell))), cell.t && h("p", { class: "dim" }, cell.t), body);
};

const failures = () => {
  const worst = ordered.filter((cell) => cell.v !== "pass" && cell.v !== "unseen");
  const groups = new Map();
  for (const cell of worst) if (cell.v === "fail" && !cell.g) for (const says of cell.u || []) {
    // Checks that fail alike, and whose advice differs, have different causes.
    const cause = says + (cell.h || "");
    if (!groups.has(cause)) groups.set(cause, { says, cells: [] });
    groups.get(cause).cells.push(cell);
  }
  const others = worst.filter((cell) => cell.v !== "fail" || cell.g);
  const shown = others.slice(0, Math.max(0, mostFailures - groups.size));
  const more = others.length - shown.length;
  const title = groups.size > 0 ? "What failed, the worst first"
    : worst.some((cell) => !cell.g) ? "What did not pass, the worst first" : "What did not pass, and does not count";
  return section(title, worst.length > 0 && h("ul", { class: "failures" }, [...groups.values()].slice(0, mostGroups).map(groupCard), shown.map(otherCard)),
    groups.size > mostGroups && h("p", { class: "dim" }, `and ${plural(groups.size - mostGroups, "more cause")}`),
    more > 0 && h("p", {}, h("button", { type: "button", class: "tool", on: { click: () => setFilter("-verdict:pass") } }, `and ${plural(more, "more " + rowName)} that did not pass: list them`)));
};
