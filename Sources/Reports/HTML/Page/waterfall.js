// The chart below the timeline: requests to the host as bars, and events as marks. Also the table of events.
const shapes = {
  request: { word: "request", path: "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z" },
  retry: { word: "retry", path: "M-4.5 4h9l-4.5 -8z" },
  fault: { word: "fault, or change of the link", path: "M0 -5l5 5l-5 5l-5 -5z" },
  error: { word: "error", path: "M-4 -4l8 8m0 -8l-8 8" },
  available: { word: "available", path: "M-4.5 0l3 3.5l6 -7.5" },
  other: { word: "start, end, kill", path: "M-1 -5h2v10h-2z" },
};

const markOf = (source, name) => {
  if (source === "client") {
    if (name === "request") return "request";
    if (name === "retry") return "retry";
    if (name === "error" || name === "misuse") return "error";
    if (name === "available") return "available";
    if (name === "exit" || name === "start") return "other";
  }
  if (source === "host" && ["fault", "file-fault", "refused", "listener-failed"].includes(name)) return "fault";
  if (source === "link" && ["decision", "refused"].includes(name)) return "fault";
  if (source !== "harness" || name === "link-up") return null;
  return name === "device-full" ? "fault" : "other";
};

const particulars = (fields) => (fields || []).map(([name, value]) => `${name} ${value}`).join(" · ");

const marksOf = (data) => {
  const marks = [];
  let conditions = 0;
  for (const [at, source, name, fields] of data.events || []) {
    // The first conditions of the link are not a change.
    const kind = source === "link" && name === "conditions" ? (conditions++ ? "fault" : null) : markOf(source, name);
    if (kind) marks.push({ at, kind, lane: source === "client" || source === "harness" ? 0 : 1, text: `${moment(at)} s ${source} ${name} ${particulars(fields)}` });
  }
  return marks;
};

const waterfall = (data) => {
  const conduct = data.conduct || {};
  const names = new Map((conduct.packs || []).map((pack) => [pack.id, pack.name]));
  const fetches = (conduct.fetches || []).slice(0, 40);
  const marks = marksOf(data);
  const kinds = [...new Set(marks.map((mark) => mark.kind))];
  const svg = s("svg", { class: "waterfall", role: "img", "aria-label": "Requests to the host, and what happened, over time" });
  const lanes = { cursor: null };
  const left = (fetch) => fetch.short || !fetch.status || fetch.status >= 400;
  const bar = (fetch, index, x, area) => {
    const y = 46 + index * 18;
    const [from, last, until] = [x(fetch.from), x(fetch.last ?? fetch.from), x(fetch.until)];
    const name = names.get(fetch.pack) || fetch.pack;
    const text = `${name} #${fetch.number} ${fetch.status ?? "no answer"} ${bytes(fetch.bytes)}${fetch.asked ? " from " + fetch.asked.toLocaleString("en") : ""}${fetch.end === "complete" ? "" : ", end: " + fetch.end}`;
    const inside = until - from > 7 * text.length;
    return s("g", { class: left(fetch) ? "fetch cut" : "fetch" }, s("title", {}, text),
      s("rect", { class: "wait", x: last, y: y + 5, width: Math.max(0, until - last), height: 2 }),
      s("rect", { class: "body", x: from, y, width: Math.max(2, last - from), height: 12, rx: 2 }),
      left(fetch) && s("path", { class: "end", d: `M${until - 4} ${y + 2}l8 8m0 -8l-8 8` }),
      s("text", { x: inside ? Math.max(from, area.x) + 6 : until > area.x + area.w * 0.6 ? from - 6 : until + 8, y: y + 9.5, "text-anchor": !inside && until > area.x + area.w * 0.6 ? "end" : "start", class: inside ? "inside" : "" }, text));
  };
  lanes.draw = (range, found) => {
    const width = svg.parentNode ? svg.parentNode.clientWidth : 800;
    const area = found ? { x: found.x, w: found.w } : { x: 80, w: Math.max(100, width - 90) };
    const height = 46 + fetches.length * 18 + 4;
    const x = (at) => area.x + ((at - range[0]) / (range[1] - range[0])) * area.w;
    const clip = "lanes-clip";
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("width", width);
    svg.setAttribute("height", height);
    svg.replaceChildren();
    fill(svg, {}, [
      s("defs", {}, s("clipPath", { id: clip }, s("rect", { x: area.x - 6, y: 0, width: area.w + 16, height }))),
      ["client", "link, host"].map((name, lane) => s("text", { class: "lane", x: area.x - 10, y: 15 + lane * 20, "text-anchor": "end" }, name)),
      fetches.length > 0 && s("text", { class: "lane", x: area.x - 10, y: 56, "text-anchor": "end" }, "fetches"),
      s("g", { "clip-path": `url(#${clip})` },
        [10, 30].map((y) => s("line", { class: "axis", x1: area.x, x2: area.x + area.w, y1: y + 1, y2: y + 1 })),
        outagesOf(data).map((outage) => s("rect", { class: "outage", x: x(outage.from), y: 0, width: Math.max(1, x(outage.until) - x(outage.from)), height }, s("title", {}, `outage: ${outage.kind}, ${seconds(outage.until - outage.from)}`))),
        fetches.map((fetch, index) => bar(fetch, index, x, area)),
        marks.map((mark) => s("path", { class: "mark " + mark.kind, d: shapes[mark.kind].path, transform: `translate(${x(mark.at).toFixed(1)} ${mark.lane * 20 + 11})` }, s("title", {}, mark.text))),
        lanes.cursor !== null && s("line", { class: "cursor", x1: x(lanes.cursor), x2: x(lanes.cursor), y1: 0, y2: height }))]);
  };
  lanes.element = h("figure", {}, h("figcaption", {}, h("strong", {}, "What happened"), kinds.map((kind) =>
    h("span", { class: "key" }, s("svg", { width: 12, height: 12, viewBox: "-6 -6 12 12", class: "waterfall", "aria-hidden": "true" }, s("path", { class: "mark " + kind, d: shapes[kind].path })), shapes[kind].word))),
  h("div", { class: "lanes" }, svg), (conduct.fetches || []).length > 40 && h("p", { class: "note" }, `The first 40 of ${conduct.fetches.length} requests to the host are drawn.`));
  return lanes;
};

const eventTable = (data) => {
  const counts = data.counts || {};
  const left = [counts.delivered && plural(counts.delivered, "delivery", "deliveries"), counts.progress && plural(counts.progress, "report", "reports") + " of progress",
    counts.usage && plural(counts.usage, "report") + " of storage", counts.decision > 100 && `${(counts.decision - 100).toLocaleString("en")} decisions of the link`].filter(Boolean);
  const rows = data.events.map(([at, source, name, fields]) => {
    const element = h("tr", { tabindex: "0", on: { click: () => pick(at, element), keydown: (event) => { if (event.key === "Enter") pick(at, element); } } },
      h("td", { class: "number" }, moment(at)), h("td", {}, h("span", { class: "source s-" + (/^[a-z]+$/.test(source) ? source : "other") }, source)), h("td", {}, name),
      h("td", { class: "particulars" }, (fields || []).map(([key, value]) => h("span", {}, h("span", { class: "dim" }, key + " "), String(value)))));
    element.words = `${source} ${name} ${particulars(fields)}`.toLowerCase();
    return element;
  });
  const pick = (at, element) => {
    for (const row of rows) row.classList.toggle("current", row === element);
    const chart = document.querySelector(".timeline");
    if (chart && chart.pick) chart.pick(at);
  };
  const count = h("span", { class: "dim", role: "status" }, plural(rows.length, "event"));
  const show = (text) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      row.hidden = !words.every((word) => row.words.includes(word));
      if (!row.hidden) shown += 1;
    }
    count.textContent = shown === rows.length ? plural(rows.length, "event") : `${shown} of ${plural(rows.length, "event")}`;
  };
  return h("div", { class: "events" }, h("div", { class: "bar" }, h("h4", {}, "Events"),
    h("input", { type: "search", placeholder: "Filter events, such as client retry", "aria-label": "Filter events", on: { input: (event) => show(event.target.value) } }), count),
  h("div", { class: "tall" }, table([{ name: "s", number: true }, { name: "Source" }, { name: "Event" }, { name: "Particulars" }], rows)),
  (left.length > 0 || data.omitted) && h("p", { class: "note" }, "Not in the table: ", left.join(", "), data.omitted && `${left.length ? ", and " : ""}${plural(data.omitted, "event")} between the first and the last`, ". They are in events.jsonl."));
};
