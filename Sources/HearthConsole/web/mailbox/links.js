// The links of a message, and what is to be said of each without following it.

import { call } from "../core/api.js";
import { buttonsHead, copyButton, h, hint, table, tag } from "../core/ui.js";
import { isSafe } from "./state.js";

const hostOf = (address) => {
  try {
    return new URL(address).host;
  } catch {
    return "";
  }
};

const isOfThisMachine = (address) =>
  /^https?:/i.test(address) &&
  /^(localhost$|127\.|\[::1\]$)/.test(hostOf(address).replace(/:\d+$/, ""));

/** What is wrong with a link: words and how bad it is. */
function verdict(address, words) {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(address)) {
    return ["not a full address: it leads nowhere in a mail", "bad"];
  }
  if (!isSafe(address)) return ["mail programs refuse this kind of address", "bad"];
  const shown = /^\s*https?:\/\/\S+\s*$/.test(words) ? hostOf(words.trim()) : "";
  if (shown && shown !== hostOf(address)) {
    return [`its words show ${shown}: mail programs warn of this`, "bad"];
  }
  const { protocol, hostname } = new URL(address);
  const isHere = /^(localhost|127\.|\[::1\]|10\.0\.2\.2$)/.test(hostname);
  if (protocol === "http:" && !isHere) return ["without TLS", "warn"];
  if (!/^(https?|mailto|tel):$/.test(protocol)) return [`opens an app (${protocol})`, "warn"];
  return isHere ? ["on this machine", "good"] : ["fine", "good"];
}

/**
 * HTML that is parsed to be looked at, without what this page's policy would refuse with a warning.
 */
export const harmless = (html) =>
  html.replace(/<(style|script)\b[^>]*>[^]*?<\/\1>/gi, "")
    .replace(/<base\b/gi, "<x-base")
    .replace(/<[^>]*>/g, (tag) => tag.replace(/(\s)(on\w+|style)(\s*=)/gi, "$1data-$2$3"));

export function findLinks(message) {
  const found = new Map();
  if (message.html) {
    const inside = new DOMParser().parseFromString(harmless(message.html), "text/html");
    for (const anchor of inside.querySelectorAll("a[href], area[href]")) {
      found.set(anchor.getAttribute("href"), anchor.textContent.trim());
    }
  }
  for (const [address] of (message.text ?? "").matchAll(/https?:\/\/[^\s<>"')\]]+/g)) {
    if (!found.has(address)) found.set(address, "");
  }
  return [...found];
}

const broken = {
  closed: "broken: nothing listens at this port",
  unknown: "broken: Hearth has no such page",
};

/** Marks the links of this machine that lead nowhere; `places` has where each link is judged. */
async function markBroken(places) {
  const links = [...places.keys()].filter(isOfThisMachine).slice(0, 50);
  if (!links.length) return;
  const path = "/emulator/v1/links:check";
  // Others than this machine do not hear it, nor do those of an older server.
  const answer = await call("POST", path, { body: { links } }).catch(() => ({ links: [] }));
  for (const { link, state } of answer.links) {
    if (broken[state]) places.get(link).replaceChildren(tag(broken[state], "bad"));
  }
}

export function links(message) {
  const found = findLinks(message);
  if (!found.length) return hint("No links.");
  const places = new Map(
    found.map(([address, words]) => [address, h("div", {}, tag(...verdict(address, words)))]),
  );
  markBroken(places);
  const frame = table(
    "Links",
    [["Link"], ["Words", "wide"], buttonsHead()],
    found.map(([address, words]) => [
      [h("code", {}, address), places.get(address)],
      words,
      h(
        "span.pair",
        {},
        copyButton("Copy", address, { class: "slim" }),
        isSafe(address) &&
          h("a.button.slim", { href: address, target: "_blank", rel: "noreferrer" }, "Open"),
      ),
    ]),
  );
  frame.classList.add("links");
  return [
    frame,
    hint(
      "Links are not followed: some work only once. For those to this machine it is checked whether something listens.",
    ),
  ];
}
