"use strict";
// Two states a second: a minute.
const most = 120;
const rates = { down: [], up: [] };
let before = null;

const element = (id) => document.getElementById(id);

function text(bits) {
  if (bits >= 1e6) return `${(bits / 1e6).toFixed(1)} Mbit/s`;
  return bits >= 1e3 ? `${Math.round(bits / 1e3)} kbit/s` : `${Math.round(bits)} bit/s`;
}

function draw() {
  const top = Math.max(1, ...rates.down, ...rates.up);
  for (const way of ["down", "up"]) {
    const list = rates[way];
    const points = list.map((rate, index) => `${most - list.length + index},${(39 - (rate / top) * 38).toFixed(1)}`);
    element(way).setAttribute("points", points.join(" "));
    element(`${way}-rate`).textContent = text(list.at(-1) ?? 0);
  }
  element("most").textContent = text(top);
}

function show(state) {
  element("now").dataset.profile = state.profile;
  element("name").textContent = state.profile;
  // The way back may lead to a profile that has a button of its own.
  const buttons = [...document.querySelectorAll("#choices button")];
  const pressed = buttons.find((button) => button.dataset.profile === state.profile);
  for (const button of buttons) button.setAttribute("aria-pressed", String(button === pressed));
  if (before && state.milliseconds > before.milliseconds) {
    const seconds = (state.milliseconds - before.milliseconds) / 1000;
    for (const way of ["down", "up"]) {
      rates[way].push((Math.max(0, state[way] - before[way]) * 8) / seconds);
      if (rates[way].length > most) rates[way].shift();
    }
    draw();
  }
  before = state;
}

function say(problem) {
  element("problem").textContent = problem;
  element("problem").hidden = !problem;
}

async function choose(button) {
  button.disabled = true;
  try {
    const answer = await fetch(`choose/${button.value}`, { method: "POST", headers: { "X-Headwind": "page" } });
    say(answer.ok ? "" : (await answer.text()).trim());
  } catch {
    say("The proxy does not answer. Is this device still in its network?");
  }
  button.disabled = false;
}

for (const button of document.querySelectorAll("#choices button")) {
  button.addEventListener("click", () => choose(button));
}
const states = new EventSource("state");
states.onmessage = (event) => {
  say("");
  show(JSON.parse(event.data));
};
states.onerror = () => say("The proxy does not answer; this page tries again.");
