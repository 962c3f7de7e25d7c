// The list of messages: one row each, with the code to copy.

import { now } from "../core/api.js";
import { linkTo } from "../core/routes.js";
import { copyButton, h, icon, shortTime, tag } from "../core/ui.js";
import {
  codeOf,
  deliveryOf,
  isTyped,
  nameOf,
  senderOf,
  state,
  stateTag,
  tagWords,
  typeMark,
} from "./state.js";

/** The addresses that a message went to, by the kind of line they stand in. */
export const addressed = (message, line) =>
  (message.recipients?.[line] ?? []).map((
    { name, address },
  ) => (name ? `${name} <${address}>` : address));
export const recipients = (message) => addressed(message, "to").join(", ") || message.to;

/** What the row shows of a message beside being unread: a row of the same state stays as it is. */
export const shownOf = (
  { id, subject, usedAt, tags, delivery, preview },
  params,
) => [id, subject, usedAt, tags, delivery, preview, params];

/** The row of a message; `choose` is called with its id, and whether those between are meant too. */
export function row(message, params, choose) {
  const code = codeOf(message);
  const delivery = deliveryOf(message);
  const type = typeMark(message);
  type?.classList?.add("tag", "kind");
  return h(
    "li",
    { "data-id": message.id },
    h("input", {
      type: "checkbox",
      "data-choose": message.id,
      "aria-label": `Choose ${nameOf(message)}`,
      onclick: (event) => choose(message.id, event.shiftKey),
    }),
    h(
      "a",
      { href: linkTo("mailbox", [message.id], params), "data-row": "opens" },
      h(
        "span.top",
        {},
        h("strong", {}, h("span.unseen", {}, "Unread: "), nameOf(message)),
        message.attachments?.length > 0 &&
          h("span.clip", { title: "With attachments" }, icon("attachment")),
        shortTime(message.createdAt, now()),
      ),
      h(
        "span.to",
        {},
        h("b", {}, recipients(message)),
        senderOf(message) && ` from ${senderOf(message)}`,
      ),
      h(
        "small",
        { class: code && "beside-code" },
        // What has no room is not seen: the state comes first, and the subject says the kind, too.
        delivery && tag(delivery, "warn"),
        stateTag(message),
        type,
        (message.tags ?? []).map((name) => tag(tagWords(message, name))),
        h("span.line-of-text", {}, message.preview ?? ""),
      ),
    ),
    code && copyButton([isTyped(code) ? code : "Copy code", icon("copy")], code, {
      class: "slim with-icon",
      title: isTyped(code) ? "Copy the code" : code,
      "aria-label": `Copy the code of ${nameOf(message)}`,
    }),
  );
}

/** States change as time passes. */
export function age(place, message) {
  const element = place.querySelector(".state");
  if (!element || !message) return;
  const [words, kind] = state(message);
  if (words && element.textContent !== words) element.textContent = words;
  element.dataset.kind = kind;
}
