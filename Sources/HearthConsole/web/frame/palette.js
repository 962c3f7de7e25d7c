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

/** Opens the palette for a project; `go` has what the page itself can do. */
export function openPalette(project, go) {
  if (isOpen) return;
  isOpen = true;
  const leaving = new AbortController();
  const field = h("input", {
    type: "text",
    role: "combobox",
    "aria-label": "Find or do something",
    "aria-controls": "findings",
    "aria-expanded": "true",
    "aria-autocomplete": "list",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "A mail, a user, a document, “advance 1h”, “act as ann” …",
  });
  const list = h("div", { id: "findings", role: "listbox", "aria-label": "Findings" });
  const nothing = h("p.hint", { role: "status" });
  let entries = [];
  let at = 0;
  let known = [];
  let found = [];

  const option = (entry, index) =>
    h(
      "div.finding",
      {
        role: "option",
        id: `finding-${index}`,
        "aria-selected": "false",
        onclick: () => run(index),
        onpointermove: () => at !== index && mark(index, false),
      },
      icon(entry.mark),
      h("span.what", {}, entry.title),
      entry.note && h("small", {}, entry.note),
      entry.keys && h("span.keys", {}, entry.keys.split(" ").map((key) => h("kbd", {}, key))),
    );

  function draw() {
    const query = field.value.trim();
    const groups = [
      ...found,
      ["Do", [...spoken(query, project), ...matching(known, query)]],
    ].filter(([, members]) => members.length);
    entries = groups.flatMap(([, members]) => members);
    let index = 0;
    list.replaceChildren(...groups.map(([name, members]) =>
      h(
        "div",
        { role: "group", "aria-label": name },
        h("p.group", { role: "presentation" }, name),
        members.map((entry) => option(entry, index++)),
      )
    ));
    nothing.textContent = entries.length ? "" : "Nothing is called so.";
    mark(Math.min(at, Math.max(0, entries.length - 1)));
  }

  function mark(index, moves = true) {
    at = index;
    const options = [...list.querySelectorAll("[role=option]")];
    options.forEach((one, place) => one.setAttribute("aria-selected", String(place === at)));
    if (options[at]) field.setAttribute("aria-activedescendant", options[at].id);
    else field.removeAttribute("aria-activedescendant");
    if (moves) options[at]?.scrollIntoView({ block: "nearest" });
  }

  async function run(index) {
    const entry = entries[index];
    if (!entry) return;
    close();
    try {
      if (entry.href) location.hash = entry.href;
      await entry.run?.();
    } catch (error) {
      fail(error);
    }
  }

  let asked = 0;
  const search = settled(async () => {
    const turn = ++asked;
    const answer = await findAll(project, field.value.trim(), leaving.signal);
    if (turn !== asked || leaving.signal.aborted) return;
    found = answer;
    draw();
  }, 80);
  field.addEventListener("input", () => {
    at = 0;
    if (!field.value.trim()) found = [];
    draw();
    search();
  });
  field.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && entries.length) mark((at + step + entries.length) % entries.length);
    else if (event.key === "Enter") run(at);
    else return;
    event.preventDefault();
  });
  const close = box("Find or do", [
    h("div.asked", {}, icon("find"), field, h("kbd", {}, "Esc")),
    list,
    nothing,
  ], { class: "palette" });
  field.focus();
  const dialog = field.closest("dialog");
  dialog.addEventListener("click", ({ target }) => target === dialog && close());
  dialog.addEventListener("close", () => {
    isOpen = false;
    leaving.abort();
  });
  draw();
  commands(project, go, leaving.signal).then((all) => {
    known = all;
    draw();
  }, () => {});
}
