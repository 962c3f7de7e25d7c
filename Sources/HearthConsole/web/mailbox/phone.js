// A text or push message as a phone shows it, and what an app gets with it.

import { actions, copyButton, facts, h, hint, pretty, shortTime } from "../core/ui.js";
import { now } from "../core/api.js";

const object = (value) => (value && typeof value === "object" ? value : {});

/** What is known of a push message: the notification, and all else that is shown below it. */
export function pushOf(message) {
  const push = object(message.push);
  const shown = object(push.notification);
  const { kind, value } = object(push.target);
  const devices = Array.isArray(push.devices) ? push.devices : [];
  return {
    title: shown.title ?? message.subject,
    body: shown.body ?? message.text,
    picture: shown.image,
    unresolved: Array.isArray(shown.unresolved) ? shown.unresolved : [],
    data: push.data,
    target: kind && `${kind} ${value}`,
    devices,
    // The server lists the first hundred.
    more: Math.max(0, (push.deviceCount ?? 0) - devices.length),
    whole: message.push ? push : null,
  };
}

const deviceName = (device) =>
  typeof device === "string" ? device : device?.name ?? device?.token ?? pretty(device);

function card(title, body, message) {
  return h(
    "div.phone-card",
    {},
    h(
      "p.phone-top",
      {},
      h("b", {}, message.type === "SMS" ? "Messages" : "App"),
      shortTime(message.createdAt, now()),
    ),
    title && h("p.phone-title", {}, title),
    h("p.phone-body", {}, body || "No text."),
  );
}

/** The card on a phone, and for a push message its data, its devices and all that was sent. */
export function phone(message) {
  if (message.type === "SMS") {
    return h("div.phone-screen", {}, card(message.to, message.text, message));
  }
  const { title, body, picture, unresolved, data, target, devices, more, whole } = pushOf(message);
  const members = Object.entries(object(data));
  return [
    h("div.phone-screen", {}, card(title, body, message)),
    facts([
      ["To", target && h("code.cut", { title: target }, target)],
      ["Not resolved", unresolved.length > 0 && unresolved.map((one) => h("div", {}, one))],
      ["Picture", picture && h("code", {}, picture)],
      [
        "Devices",
        devices.length > 0 && [
          ...devices.map((one) =>
            h("div", {}, h("code.cut", { title: deviceName(one) }, deviceName(one)))
          ),
          more > 0 && h("div", {}, `and ${more} more`),
        ].filter(Boolean),
      ],
      ...members.map(([name, value]) => [
        name,
        h("code", {}, typeof value === "string" ? value : JSON.stringify(value)),
      ]),
    ]),
    !members.length && hint("No data."),
    whole && [actions(copyButton("Copy JSON", pretty(whole))), h("pre", {}, pretty(whole))],
  ].flat().filter(Boolean);
}
