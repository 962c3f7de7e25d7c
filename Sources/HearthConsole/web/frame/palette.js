// One field over everything: what the project holds, where one can go, and what one can do.

import { box, fail, h, icon, settled } from "../core/ui.js";
import { commands, spoken } from "./commands.js";
import { findAll } from "./findings.js";

let isOpen = false;

/** How well a command fits the words: all of them must be in it; its beginning counts most. */
function fits({ title, also = "" }, words) {
  const text = `${title} ${also}`.toLowerCase();
  return words.every((word) => text.includes(word)) && (text.startsWith(words[0] ?? "") ? 2 : 1);
}

function matching(all, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return all.filter(({ isUsual }) => isUsual);
  return all.map((one) => [fits(one, words), one]).filter(([rank]) => rank)
    .sort(([one], [other]) => other - one).map(([, one]) => one).slice(0, 8);
}

const finding = (entry, index, { run, point }) =>
  h(
    "div.finding",
    {
      role: "option",
      id: `finding-${index}`,
      "aria-selected": "false",
      onclick: () => run(index),
      onpointermove: () => point(index),
    },
    icon(entry.mark),
    h("span.what", {}, entry.title),
    entry.note && h("small", {}, entry.note),
    entry.keys && h("span.keys", {}, entry.keys.split(" ").map((key) => h("kbd", {}, key))),
  );

class Palette {
  #field = h("input", {
    type: "text",
    role: "combobox",
    "aria-label": "Find or do something",
    "aria-controls": "findings",
    "aria-expanded": "true",
    "aria-autocomplete": "list",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "A mail, a user, a document, “advance 1h”, “act as ann” …",
    oninput: () => this.#typed(),
    onkeydown: (event) => this.#pressed(event),
  });
  #list = h("div", { id: "findings", role: "listbox", "aria-label": "Findings" });
  #nothing = h("p.hint", { role: "status" });
  #leaving = new AbortController();
  #entries = [];
  #at = 0;
  /** The commands, and what the server has found. */
  #known = [];
  #found = [];
  #asked = 0;
  #search = settled(() => this.#find(), 80);

  constructor(project, go) {
    this.project = project;
    this.#open();
    this.#draw();
    commands(project, go, this.#leaving.signal).then((all) => {
      this.#known = all;
      this.#draw();
    }, () => {});
  }

  #open() {
    this.close = box("Find or do", [
      h("div.asked", {}, icon("find"), this.#field, h("kbd", {}, "Esc")),
      this.#list,
      this.#nothing,
    ], { class: "palette" });
    this.#field.focus();
    const dialog = this.#field.closest("dialog");
    dialog.addEventListener("click", ({ target }) => target === dialog && this.close());
    dialog.addEventListener("close", () => {
      isOpen = false;
      this.#leaving.abort();
    });
  }

  #groups() {
    const query = this.#field.value.trim();
    const own = [...spoken(query, this.project), ...matching(this.#known, query)];
    return [...this.#found, ["Do", own]].filter(([, members]) => members.length);
  }

  #draw() {
    const groups = this.#groups();
    const entries = this.#entries = groups.flatMap(([, members]) => members);
    const hears = {
      run: (index) => this.#run(index),
      point: (index) => this.#at !== index && this.#mark(index, false),
    };
    let index = 0;
    this.#list.replaceChildren(...groups.map(([name, members]) =>
      h(
        "div",
        { role: "group", "aria-label": name },
        h("p.group", { role: "presentation" }, name),
        members.map((entry) => finding(entry, index++, hears)),
      )
    ));
    this.#nothing.textContent = entries.length ? "" : "Nothing is called so.";
    this.#mark(Math.min(this.#at, Math.max(0, entries.length - 1)));
  }

  #mark(index, moves = true) {
    this.#at = index;
    const options = [...this.#list.querySelectorAll("[role=option]")];
    options.forEach((one, place) => one.setAttribute("aria-selected", String(place === index)));
    if (options[index]) this.#field.setAttribute("aria-activedescendant", options[index].id);
    else this.#field.removeAttribute("aria-activedescendant");
    if (moves) options[index]?.scrollIntoView({ block: "nearest" });
  }

  async #run(index) {
    const entry = this.#entries[index];
    if (!entry) return;
    this.close();
    try {
      if (entry.href) location.hash = entry.href;
      await entry.run?.();
    } catch (error) {
      fail(error);
    }
  }

  async #find() {
    const turn = ++this.#asked;
    const { signal } = this.#leaving;
    const answer = await findAll(this.project, this.#field.value.trim(), signal);
    if (turn !== this.#asked || signal.aborted) return;
    this.#found = answer;
    this.#draw();
  }

  #typed() {
    this.#at = 0;
    if (!this.#field.value.trim()) this.#found = [];
    this.#draw();
    this.#search();
  }

  #pressed(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const count = this.#entries.length;
    if (step && count) this.#mark((this.#at + step + count) % count);
    else if (event.key === "Enter") this.#run(this.#at);
    else return;
    event.preventDefault();
  }
}

/** Opens the palette for a project; `go` has what the page itself can do. */
export function openPalette(project, go) {
  if (isOpen) return;
  isOpen = true;
  new Palette(project, go);
}
