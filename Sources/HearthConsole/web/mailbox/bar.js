// The search of the mailbox, and what is done with all that it finds.

import { notifies, notify } from "../core/notify.js";
import { button, field, h, icon, input, say } from "../core/ui.js";
import { kindChoice } from "./kinds.js";

/** The button for the browser's own notifications. */
function bell() {
  const element = button(icon("bell"), async () => {
    const isOn = await notify(!notifies());
    element.ariaPressed = String(isOn);
    say(isOn ? "The browser announces new codes." : "Browser notifications are off.");
  }, {
    class: "icon-button",
    "aria-pressed": String(notifies()),
    "aria-label": "Tell of new codes",
    title: "Notifications of the browser about new codes",
  });
  return element;
}

/** The bar; `first` is what is searched at first. */
export function searchBar({ first, knowsPush, removeAll }) {
  const search = input({
    type: "search",
    placeholder: "Find: to:ann type:otp is:unread words",
    value: first,
  });
  const kinds = kindChoice(search, knowsPush);
  const searchField = field("Search", search);
  searchField.classList.add("grows");
  const remove = button("Delete all", removeAll, { class: "danger" });
  return {
    element: h("search.bar", {}, searchField, kinds.element, bell(), remove),
    search,
    get wanted() {
      return search.value.trim();
    },
    /** Shows another search, which is not read. */
    show(words) {
      search.value = words;
      kinds.draw();
    },
    clear() {
      search.value = "";
      search.dispatchEvent(new Event("input"));
    },
  };
}
