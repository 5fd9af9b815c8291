// The view of the whole run: verdict, command to repeat it, machine, and matrices.
const findingItem = (finding, open) =>
  h("li", { class: "finding" }, icon(finding.v),
    h("div", {}, h("p", {}, finding.text), h("p", { class: "dim" }, finding.remedy),
      finding.attempt && open && h("button", { type: "button", class: "link", on: { click: () => open(finding.attempt) } }, `Attempt ${finding.attempt}`)));

const tiles = () => {
  const counts = new Map();
  for (const cell of run.cells) counts.set(cell.v, (counts.get(cell.v) || 0) + 1);
  for (const [name, count] of Object.entries(run.leftCounts || {})) if (count) counts.set(name, (counts.get(name) || 0) + count);
  if (run.unfinishedCount) counts.set("unfinished", run.unfinishedCount);
  return h("ul", { class: "tiles" }, Object.keys(verdicts).filter((name) => counts.has(name)).map((name) => {
    const content = [icon(name), h("strong", {}, counts.get(name).toLocaleString("en")), h("span", {}, verdicts[name].many)];
    return h("li", {}, name === "unfinished" ? h("div", { class: "tile" }, content)
      : h("button", { type: "button", class: "tile", on: { click: () => setFilter("verdict:" + name) } }, content));
  }));
};

const factList = (pairs) => h("dl", { class: "facts" }, pairs.filter(([, value]) => value !== undefined && value !== null && value !== "").map(([name, value]) =>
  h("div", {}, h("dt", {}, name), h("dd", {}, value))));

const runFacts = () => {
  const attempts = run.cells.reduce((sum, cell) => sum + cell.a + cell.r, run.leftAttempts || 0);
  const started = new Date(run.started);
  return factList([
    ["Started", Number.isNaN(started.getTime()) ? run.started : h("time", { datetime: run.started, title: run.started }, started.toISOString().replace("T", " ").slice(0, 19) + " UTC")],
    ["Took", span(run.seconds)], ["Attempts", attempts.toLocaleString("en")], ["Seed", run.seed], ["Headwind", run.tool],
    ...run.host.map(([name, value]) => [name[0].toUpperCase() + name.slice(1), value]),
  ]);
};

// The table of the runs that were merged.
const shardRows = () => (run.shards || []).map((shard) =>
  h("tr", {}, h("td", {}, icon(shard.verdict)), h("th", { scope: "row" }, shard.folder), h("td", { class: "number" }, shard.cells.toLocaleString("en")),
    h("td", {}, h("button", { type: "button", class: "link", on: { click: () => setFilter(`shard:"${shard.folder.replaceAll('"', "")}"`) } }, "Show")), h("td", {}, shard.started), h("td", { class: "number" }, span(shard.seconds)), h("td", {}, shard.tool), h("td", {}, shard.host.map(([, value]) => value).join(", ")), h("td", {}, h("code", {}, shard.command))));

const leftOut = () => {
  if (run.attempts === 0) return null;
  if (!run.hasEvents) return "There was no events.jsonl beside the result, so attempts are shown without their timelines.";
  if (run.timelines >= run.attempts) return null;
  return `Of ${plural(run.attempts, "attempt")}, ${run.timelines.toLocaleString("en")} are here with their timelines: those that broke something first, then the slowest, `
    + `as many as ${bytes(run.timelineBytes)} of the page hold. The others are in events.jsonl.`;
};

// The command to repeat the run. A merged run has a command for each part.
const sameAgain = () => {
  if (!run.shards || !run.merged) return command(run.command, "the command line of this run");
  return [...run.shards.slice(0, 8).map((shard) => h("div", { class: "again" }, h("p", { class: "dim" }, shard.folder), command(shard.command, "the command line of " + shard.folder))),
    run.shards.length > 8 && h("p", { class: "dim" }, `and ${run.shards.length - 8} more, below`)];
};

const showOverview = () => {
  const meaning = run.onInconclusive && run.verdict === "inconclusive" ? ` The run's options let that ${run.onInconclusive === "warn" ? "pass with a warning" : "pass"}.` : "";
  byId("main").replaceChildren(h("article", { class: "overview" },
    h("header", { class: "band v-" + run.verdict },
      h("h1", {}, icon(run.verdict), h("span", {}, verdictOf(run.verdict).word)), h("p", {}, run.meaning + meaning)),
    tiles(),
    failures(),
    section("Findings", (run.findings || []).length > 0 && h("ul", { class: "findings" }, run.findings.map((finding) => findingItem(finding)))),
    section("Run it again", sameAgain()),
    section("Run", runFacts(), run.left && h("p", { class: "note" }, "The worst cells are here: " + run.left + "."), leftOut() && h("p", { class: "note" }, leftOut()),
      !run.hasCharts && h("p", { class: "note" }, "Charts are missing, because dygraphs was not on the machine that made this page. Install libjs-dygraphs there, and make the page again with headwind report html.")),
    section("Merged from", run.shards && table([{ name: "" }, { name: "Folder" }, { name: "Cells", number: true }, { name: "" }, { name: "Started" }, { name: "Took", number: true }, { name: "Headwind" }, { name: "Machine" }, { name: "Command line" }], shardRows(), { class: "shards" })),
    matrices(),
    section("Without a verdict", (run.unfinished || []).length > 0 && h("ul", { class: "columns" }, run.unfinished.map((name) => h("li", {}, name))))));
};
