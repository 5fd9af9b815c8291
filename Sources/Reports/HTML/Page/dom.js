// Makes elements. Data enters the page only as text: no function here accepts markup.
const svgSpace = "http://www.w3.org/2000/svg";

const fill = (element, attributes, children = []) => {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
};

const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const s = (tag, attributes, ...children) => fill(document.createElementNS(svgSpace, tag), attributes, children);
const byId = (id) => document.getElementById(id);

const tell = (text) => {
  const place = byId("said");
  place.textContent = text;
  place.classList.add("shown");
  clearTimeout(tell.timer);
  tell.timer = setTimeout(() => place.classList.remove("shown"), 1600);
};

const copy = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Some browsers deny the clipboard to a page from disk.
    const area = h("textarea", { class: "offscreen" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  tell("Copied");
};

// A command line with a button that copies it.
const command = (text, label) =>
  h("div", { class: "command" },
    h("code", { tabindex: "0", "aria-label": label }, text),
    h("button", { type: "button", class: "copy", "aria-label": "Copy: " + label, on: { click: () => copy(text) } }, "Copy"));

const section = (title, ...children) => {
  const body = children.flat(Infinity).filter((child) => child);
  return body.length === 0 ? null : h("section", {}, h("h2", {}, title), body);
};

const table = (columns, rows, attributes) =>
  scrolling(h("table", attributes,
    h("thead", {}, h("tr", {}, columns.map((column) =>
      h("th", { scope: "col", class: column.number ? "number" : null, title: column.title }, column.name)))),
    h("tbody", {}, rows)));

// Wraps content that may be too wide: then it scrolls, and a hint says so.
const scrolling = (content) => {
  const box = h("div", { class: "scroll" }, content);
  widths.observe(box);
  widths.observe(content);
  return h("div", { class: "wide" }, h("p", { class: "hint", hidden: true }, "This table is wider than its place: scroll it sideways ↔"), box);
};

const widths = new ResizeObserver((entries) => requestAnimationFrame(() => {
  for (const box of new Set(entries.map((entry) => entry.target.closest(".scroll")))) {
    if (!box || !box.isConnected) continue;
    const isWide = box.scrollWidth > box.clientWidth + 1;
    box.previousElementSibling.hidden = !isWide;
    // Makes it scrollable by keys, too.
    if (isWide) fill(box, { tabindex: "0", role: "region", "aria-label": "A table that scrolls sideways" });
    else for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
  }
}));
