// The right end of the header: what finds everything, and the look of the page.

import { choose, lookOf, looks } from "../core/looks.js";
import { button, h, icon } from "../core/ui.js";

const titles = { theme: "Colours", density: "Rows" };
const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** The key beside which K opens the palette on this machine. */
export const commandKey = isApple ? "⌘" : "Ctrl ";

/** A group of which one look is chosen. */
const group = (name) =>
  h(
    "fieldset",
    {},
    h("legend", {}, titles[name]),
    looks[name].map(([value, label]) =>
      h(
        "label.option",
        {},
        h("input", {
          type: "radio",
          name: `look-${name}`,
          checked: lookOf(name) === value,
          onchange: () => choose(name, value),
        }),
        label,
      )
    ),
  );

function menu() {
  const element = h("div.menu", { id: "looks", popover: "auto", "aria-label": "Look" });
  element.addEventListener("beforetoggle", ({ newState }) => {
    if (newState === "open") element.replaceChildren(...Object.keys(looks).map(group));
  });
  document.body.append(element);
}

/** Draws the tools; `find` opens the palette, `help` the list of keys. */
export function drawTools({ find, help }) {
  menu();
  document.getElementById("tools").append(
    button([icon("find"), h("span", {}, "Find or do …"), h("kbd", {}, `${commandKey}K`)], find, {
      class: "find",
      "aria-label": "Find or do something",
      "aria-keyshortcuts": "Control+K Meta+K",
    }),
    button(icon("help"), help, { class: "icon-button", "aria-label": "Keys", title: "Keys" }),
    h("button.icon-button", {
      type: "button",
      popovertarget: "looks",
      "aria-label": "Look",
      title: "Colours and rows",
    }, icon("look")),
  );
}
