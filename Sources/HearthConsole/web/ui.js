// Pieces that every view is made of. Text always goes in as text, never as HTML.

let lastId = 0;
const freshId = () => `e${++lastId}`;

/** Makes an element: h("a.button", { href }, "Open"). Absent attributes and children are left out. */
export function h(name, attributes, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "checked") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => ![false, null, undefined].includes(child)));
  return element;
}

const plain = { autocomplete: "off", spellcheck: "false" };
export const input = (attributes) => h("input", { ...plain, ...attributes });
export const area = (rows, value) => h("textarea", { ...plain, rows, value });
export const checkbox = (checked) => h("input", { type: "checkbox", checked: Boolean(checked) });
/** Options are [value, label]. */
export const select = (options, chosen, attributes) => h("select", attributes, options.map(
  ([value, label]) => h("option", { value, selected: value === chosen }, label ?? value)));

/** A control with its label and a hint. */
export function field(label, control, hint) {
  control.id ||= freshId();
  const note = hint && h("small", { id: freshId() }, hint);
  if (note) control.setAttribute("aria-describedby", note.id);
  const parts = [h("label", { for: control.id }, label), control, note];
  return control.type === "checkbox"
    ? h("div.field.check", {}, control, parts[0], note) : h("div.field", {}, parts);
}

export const actions = (...children) => h("p.actions", {}, children);
export const hint = (words) => h("p.hint", {}, words);
/** A heading that is given the focus when one comes to what it heads. */
export const heading = (words, level = 2) => h(`h${level}`, { tabindex: -1 }, words);

/** A button that waits for the end of its work and shows how it failed. */
export function button(label, work, attributes) {
  const element = h("button", { type: "button", ...attributes, onclick: async () => {
    if (element.getAttribute("aria-disabled")) return;
    element.setAttribute("aria-disabled", "true");
    try { await work(); } catch (error) { fail(error); }
    element.removeAttribute("aria-disabled");
  } }, label);
  return element;
}

/** A button that asks before something is gone for good. */
export const dangerous = (label, words, work) => button(label,
  () => dialog(`${label}?`, hint(words), label, work, "danger"), { class: "danger" });

/** A form that does its work in place and shows below its fields what went wrong. */
export function form(children, label, work, kind = "primary", ...more) {
  const trouble = h("div", { role: "alert" });
  const element = h("form", { onsubmit: async (event) => {
    event.preventDefault();
    const focused = document.activeElement;
    trouble.replaceChildren();
    // What is typed while the work goes on would be lost.
    element.inert = true;
    try {
      await work();
    } catch (error) {
      trouble.replaceChildren(problem(error));
    }
    element.inert = false;
    if (document.activeElement === document.body) focused.focus();
  } }, children, trouble, actions(h("button", { type: "submit", class: kind }, label), more));
  return element;
}

/** Asks in a dialog, until the work is done or the person changes their mind. */
export function dialog(title, children, label, work, kind) {
  const close = () => box.close();
  const name = h("h2", { id: freshId() }, title);
  const box = h("dialog", { "aria-labelledby": name.id, onclose: () => box.remove() }, name,
    form(children, label, async () => { await work(); close(); }, kind,
      button("Cancel", close, { autofocus: kind === "danger" })));
  document.body.append(box);
  box.showModal();
}

/** What to show in place of something that could not be had. */
export function problem(error) {
  return error.unavailable ? h("p.notice", {}, "Not available in this version of Hearth.")
    : h("p.notice.bad", {}, h("strong", {}, error.message), " ",
      h("small", {}, error.status || "", " ", error.statusName));
}

/** Fills a place with what can be had, or with why not. */
export async function fill(place, make) {
  try {
    const content = await make();
    if (content !== undefined) place.replaceChildren(...[content].flat());
  } catch (error) {
    if (error.name !== "AbortError") place.replaceChildren(problem(error));
  }
}

/** Says something to screen readers without showing it. */
export function announce(words) {
  const region = document.getElementById("announcer");
  region.textContent = "";
  setTimeout(() => { region.textContent = words; }, 50);
}

function toast(content, attributes) {
  const element = h("div.toast", attributes, content, button("×", () => element.remove(),
    { "aria-label": "Dismiss" }));
  document.getElementById("toasts").append(element);
  return element;
}

export function say(words) {
  announce(words);
  const element = toast(words);
  setTimeout(() => element.remove(), 4000);
}

export function fail(error) {
  if (error.name !== "AbortError") toast(problem(error), { role: "alert" });
}

/** A button that puts a text on the clipboard. */
export const copyButton = (label, text) => button(label, async () => {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
  } else {
    // A page that came over plain HTTP from another machine has no clipboard.
    const source = h("textarea.unseen", { value: text });
    document.body.append(source);
    source.select();
    document.execCommand("copy");
    source.remove();
  }
  say("Copied.");
});

/** Tabs; each is [name, make], made when it is first shown. */
export function tabs(label, entries) {
  const made = entries.map(([name, make], index) => {
    const panel = h("div", { role: "tabpanel", id: freshId(), tabindex: 0 });
    const tab = h("button", { type: "button", role: "tab", id: freshId(),
      "aria-controls": panel.id, onclick: () => choose(index), onkeydown: (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1, Home: -index, End: -1 - index }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        choose((index + step + made.length) % made.length).focus();
      } }, name);
    panel.setAttribute("aria-labelledby", tab.id);
    return { tab, panel, make };
  });
  function choose(chosen) {
    made.forEach(({ tab, panel, make }, index) => {
      const isChosen = index === chosen;
      tab.setAttribute("aria-selected", isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
      panel.hidden = !isChosen;
      if (isChosen && !panel.childNodes.length) fill(panel, make);
    });
    return made[chosen].tab;
  }
  choose(0);
  return h("div", {}, h("div.tabs", { role: "tablist", "aria-label": label },
    made.map(({ tab }) => tab)), made.map(({ panel }) => panel));
}

/** Rows of a name and what it is; rows without a value are left out. */
export const facts = (rows) => h("dl", {}, rows.filter(([, value]) => value || value === 0)
  .map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));

/** A row of a table; its first cell is its heading. Columns are [name, class]. */
export const tr = (columns, cells) => h("tr", {}, cells.map((cell, index) => h(
  index ? "td" : "th", { class: columns[index][1], scope: !index && "row" }, cell)));

/** A table in a frame that scrolls sideways. */
export const table = (caption, columns, rows) => h("div.scroll",
  { role: "region", "aria-label": caption, tabindex: 0 }, h("table", {},
    h("thead", {}, h("tr", {}, columns.map(([name, kind]) => h(
      "th", { scope: "col", class: kind }, name)))),
    h("tbody", {}, rows.map((cells) => tr(columns, cells)))));

/** A mark: good, bad or neither. */
export const tag = (words, kind) => h("span.tag", { "data-kind": kind }, words);

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** A time, from milliseconds or ISO 8601; nothing from nothing. */
export function time(value) {
  const date = new Date(/^\d+$/.test(value) ? Number(value) : value);
  if (!value || Number.isNaN(date.getTime())) return value;
  return h("time", { datetime: date.toISOString(), title: date.toISOString() }, dates.format(date));
}

/** Calls `work` once, a moment after the last of many calls. */
export function settled(work, delay = 100) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, delay);
  };
}

export const pretty = (value) => JSON.stringify(value, null, 2);

/** The JSON object that a person typed, or an error that says what is wrong with it. */
export function parseObject(source, name) {
  let value = null;
  try {
    value = JSON.parse(source);
  } catch (error) {
    throw new Error(`${name}: ${error.message}`);
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw new Error(`${name} must be a JSON object, such as {"role": "admin"}.`);
  }
  return value;
}
