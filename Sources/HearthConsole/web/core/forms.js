// Buttons, forms, dialogs, tabs, and what is said about their work.

import { actions, freshId, h, hint, icon } from "./dom.js";
import { fill, problem } from "./show.js";

/** A button that waits for the end of its work and shows how it failed. */
export function button(label, work, attributes) {
  return h("button", {
    type: "button",
    ...attributes,
    onclick: async ({ currentTarget: pressed }) => {
      if (pressed.getAttribute("aria-disabled")) return;
      pressed.setAttribute("aria-disabled", "true");
      try {
        await work();
      } catch (error) {
        fail(error);
      }
      pressed.removeAttribute("aria-disabled");
      if (pressed.dataset.rests) rest(pressed, true);
    },
  }, label);
}

/** Has a button rest while there is nothing for it to do. It keeps the focus. */
export function rest(element, isResting) {
  if (isResting) {
    element.dataset.rests = "yes";
    element.setAttribute("aria-disabled", "true");
  } else {
    delete element.dataset.rests;
    element.removeAttribute("aria-disabled");
  }
}

/**
 * Has the button of a form rest while `isChanged()` is false. Answers what looks again, for changes
 * that are not typed.
 */
export function savesChanges(element, isChanged) {
  const submit = element.querySelector(":scope > .actions > [type=submit]");
  const look = () => {
    let isAsked = true;
    try {
      isAsked = isChanged();
    } catch { /* what cannot be read has changed: saving says what is wrong */ }
    rest(submit, !isAsked);
  };
  for (const event of ["input", "change"]) element.addEventListener(event, look);
  look();
  return look;
}

/** A button that asks before something is gone for good. */
export const dangerous = (label, words, work, attributes) =>
  button(
    label,
    () =>
      dialog(
        `${label}?`,
        hint(typeof words === "function" ? words() : words),
        label,
        work,
        "danger",
      ),
    { class: "danger", ...attributes },
  );

/** A form that does its work in place and shows below its fields what went wrong. */
export function form(children, label, work, kind = "primary", ...more) {
  return h(
    "form",
    {
      onsubmit: async (event) => {
        event.preventDefault();
        if (event.submitter?.ariaDisabled) return;
        const element = event.currentTarget;
        const trouble = element.querySelector(":scope > [role=alert]");
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
      },
    },
    children,
    h("div", { role: "alert" }),
    actions(h("button", { type: "submit", class: kind }, label), more),
  );
}

/** A box over the page that closes with Escape; answers how to close it. */
export function box(title, children, attributes) {
  const name = h("h2", { id: freshId() }, title);
  const element = h(
    "dialog",
    { "aria-labelledby": name.id, ...attributes, onclose: () => element.remove() },
    name,
    children,
  );
  document.body.append(element);
  element.showModal();
  return () => element.close();
}

/** Asks in a dialog, until the work is done or the person changes their mind. */
export function dialog(title, children, label, work, kind) {
  const close = box(
    title,
    form(
      children,
      label,
      async () => {
        await work();
        close();
      },
      kind,
      button("Cancel", () => close(), { autofocus: kind === "danger" }),
    ),
  );
}

/** Says something to screen readers without showing it. */
export function announce(words) {
  const region = document.getElementById("announcer");
  region.textContent = "";
  setTimeout(() => {
    region.textContent = words;
  }, 50);
}

/** One message of trouble is enough: the next one, or a success, takes its place. */
export const clearTrouble = () =>
  document.querySelectorAll("#toasts [role=alert]").forEach((one) => one.remove());

function toast(content, attributes) {
  clearTrouble();
  const element = h(
    "div.toast",
    attributes,
    content,
    button(icon("close"), () => element.remove(), {
      class: "icon-button",
      "aria-label": "Dismiss",
    }),
  );
  document.getElementById("toasts").append(element);
  return element;
}

/** Says how it went; with `undo`, a button takes it back for a while. */
export function say(words, undo) {
  announce(words);
  const back = undo && button("Undo", async () => {
    element.remove();
    await undo();
    say("Undone.");
  }, { class: "slim" });
  const element = toast([words, " ", back], {});
  setTimeout(() => element.remove(), undo ? 15_000 : 4000);
}

export function fail(error) {
  if (error.name === "AbortError") return;
  const element = toast(problem(error), { role: "alert" });
  setTimeout(() => element.remove(), 12_000);
}

export async function copy(text) {
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
}

/** A button that puts a text on the clipboard. */
export const copyButton = (label, text, attributes) =>
  button(label, async () => copy(typeof text === "function" ? await text() : text), attributes);

/** Gives the browser a file to save. */
export function download(name, content, type = "application/json") {
  const address = URL.createObjectURL(new Blob([content], { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Tabs; each is [name, make], made when it is first shown. `chosen` is the name of the first one. */
export function tabs(label, entries, chosen, onchoose) {
  const made = entries.filter(Boolean).map(([name, make], index) => {
    const panel = h("div", { role: "tabpanel", id: freshId(), tabindex: 0 });
    const tab = h("button", {
      type: "button",
      role: "tab",
      id: freshId(),
      "aria-controls": panel.id,
      onclick: () => choose(index),
      onkeydown: (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1, Home: -index, End: -1 - index }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        choose((index + step + made.length) % made.length).focus();
      },
    }, name);
    panel.setAttribute("aria-labelledby", tab.id);
    return { name, tab, panel, make };
  });

  function choose(wanted) {
    made.forEach(({ name, tab, panel, make }, index) => {
      const isChosen = index === wanted;
      tab.setAttribute("aria-selected", isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
      if (isChosen && tab.isConnected) tab.scrollIntoView({ block: "nearest", inline: "nearest" });
      panel.hidden = !isChosen;
      if (isChosen) onchoose?.(name);
      if (isChosen && !panel.childNodes.length) fill(panel, make);
    });
    return made[wanted].tab;
  }
  choose(Math.max(0, made.findIndex(({ name }) => name === chosen)));
  return h(
    "div",
    {},
    h("div.tabs", { role: "tablist", "aria-label": label }, made.map(({ tab }) => tab)),
    made.map(({ panel }) => panel),
  );
}

/** A text to copy, in tabs by language: entries are [name, text]. */
export const snippets = (label, entries, chosen, onchoose) =>
  tabs(
    label,
    entries.map(([name, text]) => [name, () =>
      h(
        "div.snippet",
        {},
        h("pre", {}, text),
        copyButton("Copy", text, { "aria-label": `Copy ${name}` }),
      )]
    ),
    chosen,
    onchoose,
  );
