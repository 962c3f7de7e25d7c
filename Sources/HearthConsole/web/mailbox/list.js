// The list of messages: one row each, with the code to copy.

import { now } from "../core/api.js";
import { linkTo } from "../core/routes.js";
import { copyButton, h, shortTime, tag } from "../core/ui.js";
import { codeOf, nameOf, state } from "./state.js";

/** The addresses that a message went to, by the kind of line they stand in. */
export const addressed = (message, line) => (message.recipients?.[line] ?? []).map(({ name,
    address }) => (
  name ? `${name} <${address}>` : address)).join(", ");
export const recipients = (message) => addressed(message, "to") || message.to;

export function row(message, params) {
  const code = codeOf(message);
  const [words, kind] = state(message);
  const unread = !message.read;
  return h("li", { "data-id": message.id, class: unread && "unread" },
    h("a", { href: linkTo("mailbox", [message.id], params), "data-row": "opens" },
      h("span.top", {}, h("strong", {}, unread && h("span.unseen", {}, "Unread: "), nameOf(
          message)),
        shortTime(message.createdAt, now())),
      h("span.to", {}, recipients(message)),
      h("small", {}, message.type && tag(message.type), words && tag(words, kind),
        (message.tags ?? []).map((name) => tag(`#${name}`)),
        message.attachments?.length > 0 && tag("attachments"))),
    code && copyButton("Copy code", code, {
      class: "slim quiet",
      title: code,
      "aria-label": `Copy the code of ${nameOf(message)}`
    }));
}

/** States change as time passes. */
export function age(place, message) {
  const element = place.querySelector("[data-kind]");
  if (!element || !message) return;
  const [words, kind] = state(message);
  if (words && element.textContent !== words) element.textContent = words;
  element.dataset.kind = kind;
}
