// The list of messages: one row each, with the code to copy.

import { now } from "../core/api.js";
import { linkTo } from "../core/routes.js";
import { copyButton, h, shortTime, tag } from "../core/ui.js";
import { codeOf, deliveryOf, nameOf, state, stateTag, typeOf } from "./state.js";

/** The addresses that a message went to, by the kind of line they stand in. */
export const addressed = (message, line) => (message.recipients?.[line] ?? []).map(({ name,
  address }) => (name ? `${name} <${address}>` : address));
export const recipients = (message) => addressed(message, "to").join(", ") || message.to;

export function row(message, params) {
  const code = codeOf(message);
  const unread = !message.read;
  const type = typeOf(message);
  const delivery = deliveryOf(message);
  return h("li", { "data-id": message.id, class: unread && "unread" },
    h("a", { href: linkTo("mailbox", [message.id], params), "data-row": "opens" },
      h("span.top", {}, h("strong", {}, unread && h("span.unseen", {}, "Unread: "), nameOf(
          message)),
        shortTime(message.createdAt, now())),
      h("span.to", {}, recipients(message)),
      h("small", {}, type && tag(type), delivery && tag(delivery, "warn"), stateTag(message),
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
  const element = place.querySelector(".state");
  if (!element || !message) return;
  const [words, kind] = state(message);
  if (words && element.textContent !== words) element.textContent = words;
  element.dataset.kind = kind;
}
