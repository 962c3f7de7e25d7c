// A text or push message as a phone shows it, and what an app gets with it.

import { actions, copyButton, facts, h, hint, pretty, shortTime } from "../core/ui.js";
import { now } from "../core/api.js";

const object = (value) => (value && typeof value === "object" ? value : {});

/** What is known of a push message. Members that are absent, or named otherwise, are left out. */
export function pushOf(message) {
  const push = object(message.push ?? message.payload);
  const inner = object(push.message ?? push);
  const shown = object(inner.notification ?? message.notification);
  const devices = message.devices ?? push.devices ?? inner.tokens ??
    message.recipients?.to?.map(({ address }) => address);
  return {
    title: shown.title ?? message.subject,
    body: shown.body ?? message.text,
    picture: shown.image ?? shown.imageUrl,
    data: inner.data ?? message.data,
    topic: inner.topic ?? message.topic,
    devices: Array.isArray(devices) ? devices : [],
    whole: Object.keys(push).length ? push : null,
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
      h("b", {}, message.type === "SMS" ? "Messages" : message.from || "App"),
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
  const { title, body, picture, data, topic, devices, whole } = pushOf(message);
  const members = Object.entries(object(data));
  return [
    h("div.phone-screen", {}, card(title, body, message)),
    facts([
      ["Topic", topic],
      ["Picture", picture && h("code", {}, picture)],
      [
        "Devices",
        devices.length > 0 &&
        devices.map((one) =>
          h("div", {}, h("code.cut", { title: deviceName(one) }, deviceName(one)))
        ),
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
