// What a message is about: its code and link, and the code's state.

import { now } from "../core/api.js";
import { span, tag } from "../core/ui.js";

/** Where the message's code stands: in words, and whether that is good or bad. */
export function state(message) {
  if (message.usedAt) return ["used", "used"];
  if (!message.expiresAt) return codeOf(message) || linkOf(message) ? ["pending", "good"] : ["",
  ""];
  const left = Date.parse(message.expiresAt) - now();
  return left > 0 ? [`pending, expires in ${span(left)}`, "good"] : ["expired", "bad"];
}

/** The same as a mark, which changes as time passes. */
export function stateTag(message) {
  const [words, kind] = state(message);
  const element = words && tag(words, kind);
  if (element) element.classList.add("state");
  return element;
}

/** What became of the message, where it was not delivered. */
export const deliveryOf = ({ delivery }) => (!delivery || delivery.state === "delivered" ? "" :
  delivery.state === "notSent" ? "not sent" : delivery.state);

/** What the message is for; nothing for one that is for nothing in particular. */
export const typeOf = ({ type }) => (type === "none" ? "" : type);

export const codeOf = (message) => message.oobCode ?? message.code;
export const linkOf = (message) => message.openLink ?? message.oobLink ?? message.link;
export const nameOf = (message) => message.subject || (message.type === "SMS" ? "Text message" :
  "(no subject)");

const harmful = /^(about|blob|data|file|filesystem|javascript|vbscript|view-source):/i;
/** Whether following the link can do no harm. */
export const isSafe = (link) => /^[a-z][a-z0-9+.-]*:/i.test(link) && !harmful.test(link);
