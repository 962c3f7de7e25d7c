// What kinds of messages are shown: a choice that is a part of the search.

import { button, h } from "../core/ui.js";

const kinds = {
  All: [],
  Mails: ["-type:SMS", "-type:PUSH"],
  SMS: ["type:SMS"],
  Push: ["type:PUSH"],
};
const term = /(^|\s)-?type:(SMS|PUSH)(?=\s|$)/gi;

const isOf = (query, terms) => {
  const found = (query.match(term) ?? []).map((one) => one.trim().toLowerCase()).sort();
  return found.join() === terms.map((one) => one.toLowerCase()).sort().join();
};

/** The search for messages of a kind, with all else that it asks for. */
export const searchFor = (query, kind) =>
  [query.replace(term, "").trim(), ...kinds[kind]].filter(Boolean).join(" ");

/**
 * A group of buttons of which one is pressed; `draw` shows the one of the search. Without
 * `knowsPush` there is no Push.
 */
export function kindChoice(search, knowsPush) {
  const buttons = Object.keys(kinds).map((kind) =>
    button(kind, () => {
      search.value = searchFor(search.value, kind);
      search.dispatchEvent(new Event("input"));
      draw();
    }, { class: "slim" })
  );

  function draw() {
    buttons.forEach((element, index) => {
      element.ariaPressed = String(isOf(search.value, Object.values(kinds)[index]));
    });
  }
  draw();
  search.addEventListener("input", draw);
  knowsPush.then((isKnown) => {
    if (isKnown) return;
    buttons.pop().remove();
    kinds.Mails = ["-type:SMS"];
    draw();
  });
  return {
    draw,
    element: h("span.choice", { role: "group", "aria-label": "Kind of message" }, buttons),
  };
}
