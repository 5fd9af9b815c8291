// The list of cells at the side, the worst first.
const mostRows = 3000;
const rowName = run.checked ? "check" : "cell";

const row = (cell) =>
  h("li", { id: "row-" + cell.index },
    h("a", { href: address(cell), class: "row" },
      icon(cell.v),
      h("span", { class: "names" },
        h("span", { class: "name" }, cell.p ? cell.base : cell.n),
        cell.p && h("span", { class: "point" }, cell.p.map(([axis, value]) => h("span", { title: `${axis}: ${value}` }, value))),
        cell.w ? h("span", { class: "worst", title: cell.w }, cell.w) : cell.t && h("span", { class: "worst", title: cell.t }, cell.t)),
      h("span", { class: "facts" }, cell.g ? badge(cell.g) : null, cell.c > 0 && h("span", { class: "dim" }, `${cell.k}/${cell.c}`))));

const showList = () => {
  state.shown = filtered(state.filter);
  const rows = state.shown.slice(0, mostRows).map(row);
  if (state.shown.length > mostRows) rows.push(h("li", { class: "more" }, `${plural(state.shown.length - mostRows, "more " + rowName)}: filter them.`));
  if (rows.length === 0) rows.push(h("li", { class: "more" }, run.cells.length ? `No ${rowName} matches.` : `No ${rowName} has a verdict.`));
  byId("list").replaceChildren(...rows);
  const total = run.cells.length;
  byId("count").textContent = state.shown.length === total ? plural(total, rowName) : `${state.shown.length.toLocaleString("en")} of ${plural(total, rowName)}`;
  markRow();
};

const markRow = () => {
  for (const element of document.querySelectorAll("#list .current, #list .marked")) {
    element.classList.remove("current", "marked");
    element.removeAttribute("aria-current");
  }
  const current = state.cell && byId("row-" + state.cell.index);
  if (current) {
    current.classList.add("current");
    current.firstChild.setAttribute("aria-current", "true");
  }
  const marked = state.marked && byId("row-" + state.marked.index);
  if (marked) {
    marked.classList.add("marked");
    marked.scrollIntoView({ block: "nearest" });
  }
};

const setFilter = (text) => {
  state.filter = text;
  state.marked = null;
  const input = byId("filter");
  if (input.value !== text) input.value = text;
  history.replaceState(null, "", address(state.cell, state.attempt));
  showList();
};

const moveMark = (step) => {
  if (state.shown.length === 0) return;
  const at = state.shown.indexOf(state.marked || state.cell);
  const next = at < 0 ? (step > 0 ? 0 : state.shown.length - 1) : Math.min(state.shown.length - 1, Math.max(0, at + step));
  state.marked = state.shown[next];
  markRow();
};
