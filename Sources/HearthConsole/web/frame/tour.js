// Four hints for those who are here for the first time. They can be sent away, and stay away.

import { button, h } from "../core/ui.js";
import { commandKey } from "./tools.js";

const kept = "hearth.tour";
const hints = [
  [
    'body > nav a[href="#/mailbox"]',
    "Mails stay here",
    "Each mail and text message that your app sends is in the mailbox. Press c to copy the newest code.",
  ],
  [
    "#tools .find",
    "One field for everything",
    `${commandKey}K finds mails, users and documents, and does what you write: “advance 1h”, “offline”, “act as ann”.`,
  ],
  [
    'body > nav a[href="#/requests"]',
    "Why was it refused?",
    "Requests shows each call, and for a refusal the line of your rules and the value of each of its parts.",
  ],
  [
    'body > nav a[href="#/clock"]',
    "Time and trouble",
    "Move the clock to let codes expire, or turn faults on. A chip in the header says so, and undoes it.",
  ],
];

/** Shows the hints, unless they were sent away. */
export function tour() {
  if (localStorage.getItem(kept)) return;
  const place = h("section.tour", { "aria-label": "First steps" });
  const point = (selector) => {
    document.querySelector(".pointed")?.classList.remove("pointed");
    if (selector) document.querySelector(selector)?.classList.add("pointed");
  };
  function end() {
    localStorage.setItem(kept, "done");
    point();
    place.remove();
  }
  function show(index) {
    const [selector, title, words] = hints[index];
    const isLast = index === hints.length - 1;
    point(selector);
    place.replaceChildren(
      h("h2", {}, title),
      h("p", {}, words),
      h(
        "p.actions",
        {},
        button(
          isLast ? "Done" : `Next, ${index + 1} of ${hints.length}`,
          () => (isLast ? end() : show(index + 1)),
          { class: "slim" },
        ),
        !isLast && button("Skip", end, { class: "slim quiet", "aria-label": "No more hints" }),
      ),
    );
  }
  show(0);
  document.querySelector("body > nav").append(place);
}
