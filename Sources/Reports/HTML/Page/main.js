// Shows the view that the address names.
const route = () => {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const filter = wanted.get("filter") || "";
  if (filter !== state.filter && (wanted.has("filter") || !wanted.has("cell"))) {
    state.filter = filter;
    byId("filter").value = filter;
    showList();
  }
  const name = wanted.get("cell");
  const called = name === null ? [] : cellsCalled(name);
  const cell = called.length === 1 ? called[0] : null;
  const hasMoved = cell !== state.cell;
  state.cell = cell;
  state.marked = cell || state.marked;
  state.attempt = Number(wanted.get("attempt")) || null;
  markRow();
  document.body.classList.toggle("has-cell", Boolean(cell));
  if (!cell) {
    showOverview();
    if (name !== null) tell(called.length > 1 ? `There are ${called.length} cells with that name here: add the matrix point, such as [link.profile=3g]` : "No cell here has that name");
    document.title = `${verdictOf(run.verdict).word} · Headwind`;
    return;
  }
  document.title = `${verdictOf(cell.v).word}: ${cell.n} · Headwind`;
  whenThere("c" + cell.index, (detail) => {
    if (state.cell !== cell) return;
    const attempt = showCell(cell, { attempts: [], ...detail });
    if (attempt) state.attempt = attempt.n;
    if (wanted.has("attempt") && attempt) byId("attempt").scrollIntoView({ block: "start" });
    else if (hasMoved) byId("main").scrollTo(0, 0);
  });
};

// Fits the charts to the current width: each keeps the width at which it was drawn.
const fitCharts = () => {
  const chart = document.querySelector(".timeline");
  if (chart && chart.fit) chart.fit();
};
const printing = (on) => {
  document.body.classList.toggle("printing", on);
  fitCharts();
};

const begin = () => {
  let theme = "auto";
  try { theme = localStorage.getItem("headwind-theme") || "auto"; } catch { /* Some browsers deny storage to a page from disk. */ }
  setTheme(themes.includes(theme) ? theme : "auto");
  byId("run-verdict").append(pill(run.verdict), h("span", { class: "dim" }, `exit code ${run.exit}`),
    ...(run.whole === false ? [badge("not the whole run", "The run has not finished")] : []));
  byId("filter").addEventListener("input", (event) => setFilter(event.target.value));
  byId("theme").addEventListener("click", () => setTheme(themes[(themes.indexOf(document.documentElement.dataset.theme) + 1) % themes.length]));
  byId("help").addEventListener("click", showKeys);
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", route);
  window.addEventListener("resize", fitCharts);
  window.addEventListener("beforeprint", () => printing(true));
  window.addEventListener("afterprint", () => printing(false));
  showList();
  route();
  document.documentElement.dataset.ready = "true";
  performance.mark("usable");
};

begin();
