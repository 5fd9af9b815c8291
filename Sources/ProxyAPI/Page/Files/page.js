"use strict";
// Points of a chart: a minute, at two states a second.
const most = 120;
const problem = document.getElementById("problem");

function text(bits) {
  if (bits >= 1e6) return `${(bits / 1e6).toFixed(1)} Mbit/s`;
  return bits >= 1e3 ? `${Math.round(bits / 1e3)} kbit/s` : `${Math.round(bits)} bit/s`;
}

// One link: its section of the page, and its latest rates.
class Link {
  constructor(section) {
    this.section = section;
    this.rates = { down: [], up: [] };
    this.before = null;
    this.buttons = [...section.querySelectorAll("button")];
    for (const button of this.buttons) button.addEventListener("click", () => this.choose(button));
  }

  element(name) {
    return this.section.querySelector(`.${name}`);
  }

  draw() {
    const top = Math.max(1, ...this.rates.down, ...this.rates.up);
    for (const way of ["down", "up"]) {
      const list = this.rates[way];
      const points = list.map((rate, index) => `${most - list.length + index},${(39 - (rate / top) * 38).toFixed(1)}`);
      this.section.querySelector(`polyline.${way}`).setAttribute("points", points.join(" "));
      this.element(`${way}-rate`).textContent = text(list.at(-1) ?? 0);
    }
    this.element("most").textContent = text(top);
  }

  show(state, milliseconds) {
    this.section.dataset.profile = state.profile;
    this.element("name").textContent = state.profile;
    // The first profile may have a second button, the one that leads back to it. Only one is marked.
    const pressed = this.buttons.find((button) => button.dataset.profile === state.profile);
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(button === pressed));
    const before = this.before;
    if (before && milliseconds > before.milliseconds) {
      const seconds = (milliseconds - before.milliseconds) / 1000;
      for (const way of ["down", "up"]) {
        this.rates[way].push((Math.max(0, state[way] - before[way]) * 8) / seconds);
        if (this.rates[way].length > most) this.rates[way].shift();
      }
      this.draw();
    }
    this.before = { ...state, milliseconds };
  }

  async choose(button) {
    button.disabled = true;
    try {
      const path = `choose/${this.section.dataset.link}/${button.value}`;
      const answer = await fetch(path, { method: "POST", headers: { "X-Headwind": "page" } });
      say(answer.ok ? "" : (await answer.text()).trim(), !answer.ok);
    } catch {
      say("Headwind does not answer. Is this device still in its network?");
    }
    button.disabled = false;
  }
}

// Whether a message stays: a refusal stays until the next choice, other messages until the next state.
let stays = false;

function say(words, remains = false) {
  stays = remains;
  problem.textContent = words;
  problem.hidden = !words;
}

const sections = [...document.querySelectorAll("section.link")];
const links = new Map(sections.map((section) => [section.dataset.link, new Link(section)]));
const states = new EventSource("state");
states.onmessage = (event) => {
  if (!stays) say("");
  const { milliseconds, links: now } = JSON.parse(event.data);
  for (const state of now) links.get(state.name)?.show(state, milliseconds);
};
states.onerror = () => say("Headwind does not answer; this page tries again.");
