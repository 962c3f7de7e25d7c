// What was typed and not saved, kept by its place, so that no text is lost on the way.

import { button, h } from "./ui.js";
import { time } from "./show.js";

const prefix = "hearth.draft:";
const most = 50;
const longest = 500_000;

const keys = () => Object.keys(localStorage).filter((key) => key.startsWith(prefix));

function parsed(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

/** Drops the oldest drafts beyond the bound. */
function makeRoom() {
  const all = keys().map((key) => [key, parsed(key)?.at ?? 0]).sort(([, a], [, b]) => b - a);
  for (const [key] of all.slice(most - 1)) localStorage.removeItem(key);
}

/** The draft of a place of a project. */
export function draftOf(project, ...place) {
  const key = prefix + [project, ...place].join("|");
  return {
    /** `{ value, at }`, or nothing. */
    read: () => parsed(key),
    keep(value) {
      const text = JSON.stringify({ at: Date.now(), value });
      if (text.length > longest) return;
      makeRoom();
      // A full store must not hinder typing.
      try {
        localStorage.setItem(key, text);
      } catch {
        localStorage.removeItem(key);
      }
    },
    drop: () => localStorage.removeItem(key),
  };
}

const valueOf = (control) => (control.type === "checkbox" ? control.checked : control.value);
function setValue(control, value) {
  if (control.type === "checkbox") control.checked = value;
  else control.value = value;
}

/**
 * Keeps what is typed into controls as a draft, and puts back that of an earlier visit. Answers a note
 * about it, or nothing. Call it when the controls have their stored values.
 */
export function keepTyped(draft, controls, discard) {
  const entries = Object.entries(controls);
  const before = new Map(entries.map(([name, control]) => [name, valueOf(control)]));
  const kept = draft.read();
  const keep = () => {
    const typed = entries.filter(([name, control]) => valueOf(control) !== before.get(name));
    if (!typed.length) return draft.drop();
    draft.keep(Object.fromEntries(typed.map(([name, control]) => [name, valueOf(control)])));
  };
  for (const [name, control] of entries) {
    // A form that is filled again has another draft.
    control.oninput = keep;
    if (kept && name in kept.value) setValue(control, kept.value[name]);
  }
  return kept && draftNote(kept.at, () => {
    draft.drop();
    discard();
  });
}

/** Says that a draft is shown, and lets go of it on request. */
export const draftNote = (at, discard) =>
  h(
    "p.notice.warn.draft",
    {},
    "Your text that was not saved is here again, from ",
    time(at),
    ". ",
    button("Discard it", discard, { class: "link" }),
  );
