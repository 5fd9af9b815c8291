// Keyboard shortcuts, and the theme.
const keyList = [
  ["j, k", "next, previous cell"], ["Enter", "open the marked cell"], ["n, p", "next, previous attempt"], ["/", "filter"], ["Esc", "leave the filter, then clear it, then go back to the overview"],
  ["c", "copy the command that reproduces it"], ["t", "light, dark, or like the system"], ["?", "this help"],
];
const filterHelp = [
  ["tunnel 3g", "both words"], ["\"two words\"", "as they are"], ["verdict:fail", "or inconclusive, infrastructure, pass, quarantined"], ["scenario:… profile:… backend:…", "parts of their names"],
  ["check:time_to", "cells in which such a check did not pass"], ["link.profile:3g", "any axis of a matrix"], ["-verdict:pass", "all others"],
];

const showKeys = () => {
  const dialog = byId("keys");
  const list = (rows) => h("dl", {}, rows.map(([key, text]) => h("div", {}, h("dt", {}, key.split(", ").map((part) => h("kbd", {}, part))), h("dd", {}, text))));
  dialog.replaceChildren(h("h2", { id: "keys-title" }, "Keys"), list(keyList), h("h2", {}, "Filter"), list(filterHelp),
    h("form", { method: "dialog" }, h("button", { class: "copy" }, "Close")));
  dialog.showModal();
};

const themes = ["auto", "light", "dark"];
const setTheme = (name) => {
  document.documentElement.dataset.theme = name;
  byId("theme-name").textContent = name[0].toUpperCase() + name.slice(1);
  byId("theme").setAttribute("aria-label", "Colours: " + name);
  try { localStorage.setItem("headwind-theme", name); } catch { /* Some browsers deny storage to a page from disk. */ }
  const chart = document.querySelector(".timeline");
  if (chart && chart.again) chart.again();
};

const nextAttempt = (step) => {
  const detail = state.cell && block("c" + state.cell.index);
  if (!detail || !detail.attempts) return;
  const at = detail.attempts.findIndex((attempt) => attempt.n === state.attempt);
  const next = detail.attempts[Math.min(detail.attempts.length - 1, Math.max(0, at + step))];
  if (next) location.hash = address(state.cell, next.n);
};

const onKey = (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || byId("keys").open) return;
  const input = event.target.closest && event.target.closest("input, select, textarea");
  if (input) {
    if (event.key === "Escape" && input.id === "filter") { if (input.value) setFilter(""); else input.blur(); }
    if (event.key === "Escape" && input.id !== "filter") input.blur();
    if (event.key === "Enter" && input.id === "filter" && state.shown.length > 0) { location.hash = address(state.marked || state.shown[0]); input.blur(); }
    if (event.key === "ArrowDown" && input.id === "filter") { moveMark(1); event.preventDefault(); }
    if (event.key === "ArrowUp" && input.id === "filter") { moveMark(-1); event.preventDefault(); }
    return;
  }
  const detail = state.cell && block("c" + state.cell.index);
  const actions = {
    j: () => moveMark(1), k: () => moveMark(-1), n: () => nextAttempt(1), p: () => nextAttempt(-1),
    "/": () => { byId("filter").focus(); byId("filter").select(); }, "?": showKeys,
    t: () => setTheme(themes[(themes.indexOf(document.documentElement.dataset.theme) + 1) % themes.length]),
    c: () => copy((detail && detail.replay) || run.command),
    Escape: () => { if (state.cell) location.hash = ""; else if (state.filter) setFilter(""); },
  };
  if (event.key === "Enter" && state.marked && !(event.target.closest && event.target.closest("button, a, summary, tr[tabindex]"))) location.hash = address(state.marked);
  else if (actions[event.key]) { actions[event.key](); event.preventDefault(); }
};
