// What a message is about: its code and link, and the code's state.

import { now } from "../core/api.js";
import { h, span, tag } from "../core/ui.js";

/** The state of the message's code: in words, and whether that is good or bad. */
export function state(message) {
  if (message.usedAt) return ["used", "used"];
  // What never expires is not waited for.
  if (!message.expiresAt) return ["", ""];
  const left = Date.parse(message.expiresAt) - now();
  return left > 0 ? [`expires in ${span(left)}`, "good"] : ["expired", "bad"];
}

/** The time that is left of a code, as on a clock; nothing where it does not end. */
export function countdown({ usedAt, expiresAt }) {
  if (usedAt || !expiresAt) return "";
  const seconds = Math.floor((Date.parse(expiresAt) - now()) / 1000);
  if (seconds <= 0 || seconds >= 36000) return "";
  const two = (number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}:${two(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** Whether the code can still be used, as far as is known here. */
export const isOpen = (message) => !message.usedAt && state(message)[1] !== "bad";

/** The same as a mark, which changes as time passes. */
export function stateTag(message) {
  const [words, kind] = state(message);
  const element = words && tag(words, kind);
  if (element) element.classList.add("state");
  return element;
}

/** What became of the message, where it was not delivered. */
export const deliveryOf = (
  { delivery },
) => (!delivery || delivery.state === "delivered"
  ? ""
  : delivery.state === "notSent"
  ? "not sent"
  : delivery.state);

const types = {
  PASSWORD_RESET: "Password reset",
  VERIFY_EMAIL: "E-mail verification",
  EMAIL_SIGNIN: "Sign-in link",
  VERIFY_AND_CHANGE_EMAIL: "Change of e-mail",
  RECOVER_EMAIL: "E-mail was changed",
  SMS: "Text message",
  PUSH: "Push message",
  NEW_PASSWORD: "New password",
  NOTICE: "Notice",
  reset: "Password reset",
  verify: "Verification",
  magic: "Sign-in link",
  otp: "One-time code",
  none: "",
};

/** What the message is for, in words; nothing for one that is for nothing in particular. */
export const typeName = ({ type }) => types[type] ?? type;

/** The same as an element that has the name of the API as a hint. */
export const typeMark = (message, name = "span") =>
  typeName(message) && h(`${name}.type`, { title: message.type }, typeName(message));

export const codeOf = (message) => message.oobCode ?? message.code;
export const linkOf = (message) => message.openLink ?? message.oobLink ?? message.link;
/** Whether it went to a phone, and has no parts as a mail has. */
export const isOfPhone = ({ type }) => type === "SMS" || type === "PUSH";
export const nameOf = (message) =>
  message.subject || (isOfPhone(message) ? typeName(message) : "(no subject)");
export const senderOf = (message) => isOfPhone(message) ? "" : message.fromName || message.from;

/** A tag with the value that the app has given it, if it has. */
export const tagWords = ({ metadata }, name) =>
  [`#${name}`, metadata?.[name]].filter((one) => typeof one === "string" && one).join(": ");

/** A code that a person types; others are secrets of links. */
export const isTyped = (code) => Boolean(code) && code.length <= 12;

const harmful = /^(about|blob|data|file|filesystem|javascript|vbscript|view-source):/i;
/** Whether following the link can do no harm. */
export const isSafe = (link) => /^[a-z][a-z0-9+.-]*:/i.test(link) && !harmful.test(link);
