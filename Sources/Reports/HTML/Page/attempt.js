// The table of a cell's attempts, and the view of one attempt.
const columnsOfSamples = run.metrics.filter((metric) => metric.column).map((metric) => [metric.name, metric.column]);

// A sample's metric, number (null if its event never happened) and unit; null if unknown.
const sampleOf = (attempt, name) => {
  const value = (attempt.samples || [])[metricAt.get(name)];
  return value === null || value === undefined ? null : [name, value === "never" ? null : value, metricOf(name).unit];
};
const idealOf = (attempt, name) => ((attempt.ideal || []).find(([index]) => index === metricAt.get(name)) || [])[1];

const noiseText = ([wake, pressure, own, client, steal]) => [
  wake !== null && `latest wake ${seconds(wake)}`, pressure !== null && `pressure ${quantity(pressure, "ratio", 2)}`,
  own !== null && `own wait ${quantity(own, "ratio", 2)}`,
  client !== null && `client waited ${seconds(client)}`, steal !== null && `steal ${quantity(steal, "ratio", 2)}`,
].filter(Boolean).join(" · ");

const stateOf = (attempt, detail) => {
  if (attempt.left) return ["!", "infrastructure", "Not counted: the machine was too busy, so it was repeated"];
  if (attempt.arm === "baseline") return ["B", "unfinished", "An attempt of the baseline, which is not judged"];
  if ((attempt.findings || []).length > 0) return ["!", attempt.findings[0].v, attempt.findings[0].text];
  const broken = (detail.checks || []).filter((check) => (check.broken || []).includes(attempt.n));
  return broken.length ? ["✕", "fail", "Breaks " + broken.map((check) => check.name).join(", ")] : ["✓", "pass", "Breaks nothing"];
};

const attemptTable = (detail, wanted, open) => {
  if (detail.attempts === undefined || detail.attempts.length === 0) return h("p", { class: "dim" }, "There was no attempt.");
  const columns = columnsOfSamples.filter(([name]) => detail.attempts.some((attempt) => {
    const sample = sampleOf(attempt, name);
    return sample && (sample[1] !== null || name !== "time_to_error") && !(name === "time_to_error" && sample[1] === null);
  }));
  const hasEnds = detail.attempts.some((attempt) => attempt.end);
  const hasNoise = detail.attempts.some((attempt) => attempt.noise && attempt.noise[1] !== null);
  const rows = detail.attempts.map((attempt) => {
    const [mark, verdict, why] = stateOf(attempt, detail);
    return h("tr", { class: attempt === wanted ? "current" : null, "aria-current": attempt === wanted ? "true" : null, on: { click: () => open(attempt.n) } },
      h("td", {}, h("button", { type: "button", class: "chip", "aria-label": `Attempt ${attempt.n}` }, "#" + attempt.n)),
      h("td", {}, h("span", { class: "icon v-" + verdict, title: why, role: "img", "aria-label": why }, mark), attempt.arm === "baseline" && h("span", { class: "dim" }, " baseline")),
      columns.map(([name]) => {
        const sample = sampleOf(attempt, name);
        return h("td", { class: "number" }, sample ? quantity(sample[1], sample[2]) : h("span", { class: "dim" }, "–"));
      }),
      hasEnds && h("td", {}, attempt.end || ""),
      hasNoise && h("td", { class: "dim number", title: attempt.noise && noiseText(attempt.noise) }, attempt.noise && attempt.noise[1] !== null ? quantity(attempt.noise[1], "ratio", 2) : ""),
      h("td", { class: "dim number" }, attempt.seed));
  });
  return h("div", { class: "attempts-box" }, table([{ name: "" }, { name: "" }, ...columns.map(([, name]) => ({ name, number: true })), hasEnds && { name: "Client" },
    hasNoise && { name: "Pressure", number: true, title: "The share of the time in which some task waited for a processor" }, { name: "Seed", number: true }].filter(Boolean), rows, { class: "attempts" }));
};

const requestRows = (attempt) => (attempt.requests || []).map((request) =>
  h("tr", {}, h("td", {}, icon(request.result === "available" ? "pass" : request.result === "error" ? "fail" : "inconclusive")), h("th", { scope: "row" }, request.id), h("td", {}, (request.tags || []).join(" ")),
    h("td", {}, request.result.replace("_", " ")), h("td", { class: "number" }, request.seconds === undefined ? "" : seconds(request.seconds)), h("td", { class: "says" }, request.says || "")));

const fetchRows = (conduct) => {
  const names = new Map((conduct.packs || []).map((pack) => [pack.id, pack]));
  const ends = { complete: "complete", host: "cut by the host", client: "left by the client, or its link", stall: "stalled" };
  return (conduct.fetches || []).map((fetch) => {
    const pack = names.get(fetch.pack);
    return h("tr", {}, h("td", {}, icon(fetch.short || (fetch.status || 0) >= 400 || !fetch.status ? "fail" : "pass")),
      h("th", { scope: "row", title: fetch.pack }, (pack && pack.name) || fetch.pack), h("td", { class: "number" }, fetch.number),
      h("td", { class: "number" }, moment(fetch.from)), h("td", { class: "number" }, moment(fetch.last)), h("td", { class: "number" }, moment(fetch.until)),
      h("td", { class: "number" }, fetch.asked === undefined ? "end" : fetch.asked.toLocaleString("en")), h("td", { class: "number" }, fetch.answered.toLocaleString("en")),
      h("td", { class: "number" }, fetch.status ?? "–"), h("td", { class: "number" }, bytes(fetch.bytes)), h("td", {}, ends[fetch.end] || fetch.end), h("td", {}, (fetch.faults || []).map((fault) => h("code", { class: "fault" }, fault))));
  });
};

const metricList = (attempt) => h("dl", { class: "facts tight" }, run.metrics.map((metric) => {
  const sample = sampleOf(attempt, metric.name);
  const ideal = idealOf(attempt, metric.name);
  return sample && h("div", { title: metric.how }, h("dt", {}, metric.name.replaceAll("_", " ")),
    h("dd", {}, ideal !== undefined && h("span", { class: "dim" }, `ideal ${quantity(ideal, sample[2])} `), quantity(sample[1], sample[2])));
}));

const showAttempt = (holder, cell, detail, attempt) => {
  const [, , why] = stateOf(attempt, detail);
  const chart = h("div", { class: "timeline" });
  const rest = h("div", {});
  holder.replaceChildren(...[
    h("div", { class: "bar" }, h("h3", { id: "attempt-title", tabindex: "-1" }, `Attempt ${attempt.n}`), h("span", { class: "dim" }, why),
      h("button", { type: "button", class: "copy", on: { click: () => copy(location.href.split("#")[0] + address(cell, attempt.n)) } }, "Copy link")),
    chart,
    attempt.findings && h("ul", { class: "findings" }, attempt.findings.map((finding) => findingItem({ ...finding, attempt: null }))),
    attempt.said && h("div", {}, h("h4", {}, "What the client said last"), h("pre", { tabindex: "0" }, attempt.said.join("\n"))),
    rest].filter(Boolean));
  const show = (data) => {
    if (!holder.isConnected) return;
    if (data && data.events) showTimeline(chart, data, attempt);
    else chart.replaceChildren(h("p", { class: "note" }, run.hasEvents ? "The timeline of this attempt is left out of the page, or has no events; see events.jsonl." : "There was no events.jsonl beside the result."));
    const conduct = (data && data.conduct) || {};
    const facts = [["Bytes", attempt.bytes && (attempt.bytes + (attempt.disagree ? ": they disagree" : ": they agree, within that"))], ["Noise", attempt.noise && noiseText(attempt.noise)],
      ["Schedule", attempt.schedule && `${attempt.schedule.file}, ${plural(attempt.schedule.lines, "line")}, ${attempt.schedule.hash}`], ["Not played", attempt.unplayed], ["Took", seconds(attempt.seconds)], ["Client", attempt.end]];
    rest.replaceChildren(...[
      (attempt.requests || []).length > 0 && h("div", {}, h("h4", {}, "Requests of the client"), table([{ name: "" }, { name: "Request" }, { name: "Tags" }, { name: "Became" }, { name: "After", number: true }, { name: "" }], requestRows(attempt))),
      (conduct.fetches || []).length > 0 && h("div", {}, h("h4", {}, "Requests to the host"), table(
        [{ name: "" }, { name: "Pack" }, { name: "No.", number: true }, { name: "Began, s", number: true }, { name: "Last byte, s", number: true }, { name: "Ended, s", number: true }, { name: "Asked from", number: true },
          { name: "Answered from", number: true }, { name: "Status", number: true }, { name: "Bytes", number: true }, { name: "End" }, { name: "Faults" }], fetchRows(conduct)),
        conduct.omittedFetches && h("p", { class: "note" }, `${plural(conduct.omittedFetches, "request")} between the first and the last are not kept.`)),
      data && data.events && eventTable(data),
      h("div", {}, h("h4", {}, "Measured"), metricList(attempt)), factList(facts),
      attempt.notes && h("ul", { class: "notes" }, attempt.notes.map((note) => h("li", {}, note))),
    ].filter(Boolean));
  };
  whenThere(`t${cell.index}-${attempt.n}`, show);
};
