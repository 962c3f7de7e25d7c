// The links of a message, and what is to be said of each without following it.

import { buttonsHead, copyButton, h, hint, table, tag } from "../core/ui.js";
import { isSafe } from "./state.js";

const hostOf = (address) => {
  try {
    return new URL(address).host;
  } catch {
    return "";
  }
};

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

export function links(message) {
  const found = findLinks(message);
  if (!found.length) return hint("No links.");
  const frame = table(
    "Links",
    [["Link"], ["Words", "wide"], buttonsHead()],
    found.map(([address, words]) => [
      [h("code", {}, address), h("div", {}, tag(...verdict(address, words)))],
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
  return [frame, hint("Links are not followed here: some work only once.")];
}
