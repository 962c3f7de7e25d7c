// Captured mails and text messages.

import { call, now, own, text } from "./api.js";
import {
  actions, announce, button, copyButton, dangerous, facts, field, h, heading, hint, input, say,
  settled, tabs, tag, time,
} from "./ui.js";

const usual = 100;
const most = 1000;

function span(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 129600 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86400)} days`;
}

/** Where the message's code stands: in words, and whether that is good or bad. */
function state(message) {
  if (message.usedAt) return ["used", "used"];
  if (!message.expiresAt) return ["pending", "good"];
  const left = Date.parse(message.expiresAt) - now();
  return left > 0 ? [`pending, expires in ${span(left)}`, "good"] : ["expired", "bad"];
}

/** Reads `to:ann type:PASSWORD_RESET state:used "some words"` into a test of messages. */
function matcher(search) {
  const tests = [...search.matchAll(/(?:(to|from|type|state):)?(?:"([^"]*)"?|(\S*))/gi)].map(
    ([, key = "", phrase, word]) => {
      const value = (phrase ?? word).toLowerCase();
      return (message) => ({
        to: [message.to], from: [message.from], state: [state(message)[0].split(",")[0]],
        type: [message.type, message.type.replaceAll("_", "-")],
      }[key.toLowerCase()] ?? [message.subject, message.to, message.text, message.oobCode])
        .some((content) => content?.toLowerCase().includes(value));
    });
  return (message) => tests.every((test) => test(message));
}

const harmful = /^(about|blob|data|file|filesystem|javascript|vbscript|view-source):/i;
const isSafe = (link) => /^[a-z][a-z0-9+.-]*:/i.test(link) && !harmful.test(link);

/**
 * The mail as its reader sees it. Nothing in the frame can run, and it inherits this page's policy,
 * which drops inline styles; so those are put back from here, where they can do nothing but style.
 */
function frame(message) {
  const sheets = [];
  const html = message.html
    .replace(/<style\b[^>]*>([^]*?)<\/style>/gi, (_, source) => { sheets.push(source); return ""; })
    .replace(/(<[^>]*\s)style(\s*=)/gi, "$1data-style$2");
  const element = h("iframe", {
    title: `The message “${message.subject}”`, srcdoc: html,
    sandbox: "allow-same-origin allow-popups allow-popups-to-escape-sandbox",
    onload: () => {
      const { contentDocument: inside, contentWindow: { CSSStyleSheet } } = element;
      for (const link of inside.links) link.target = "_blank";
      for (const styled of inside.querySelectorAll("[data-style]")) {
        styled.style.cssText = styled.dataset.style;
      }
      inside.adoptedStyleSheets = sheets.map((source) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(source);
        return sheet;
      });
    },
  });
  return element;
}

export async function show({ root, project, path: [first], signal, hear, retitle }) {
  const messages = new Map();
  let limit = usual;
  let known = "";
  let opened = first;

  const search = input({ type: "search", placeholder: "to:ann type:PASSWORD_RESET words",
    value: sessionStorage.getItem("search") ?? "" });
  const list = h("ul.list");
  const count = h("p.hint", { role: "status" });
  const more = button(`Show up to ${most}`, () => { limit = most; return load(); });
  const detail = h("section.detail", { "aria-label": "Message" });
  root.append(
    h("search.bar", {}, field("Search", search, "Text, to:, from:, type:, state:"),
      dangerous("Delete all", `All messages of ${project} will be deleted.`, async () => {
        await call("DELETE", own(project, "messages"));
        await load();
        location.hash = "#/mailbox";
      })),
    h("div.split", {}, h("section", { "aria-label": "Messages" }, count, list, more), detail));
  search.addEventListener("input", settled(() => {
    sessionStorage.setItem("search", search.value);
    draw();
    // What is looked for may be further back than what is shown.
    if (limit < most && messages.size === limit) more.click();
  }));

  /** Reads the list, and answers what is new in it. */
  async function load() {
    const answer = await text("GET", own(project, `messages?limit=${limit}`), { signal });
    if (answer === known) return [];
    known = answer;
    const before = new Set(messages.keys());
    messages.clear();
    for (const message of JSON.parse(answer).messages) messages.set(message.id, message);
    draw();
    return [...messages.values()].filter((message) => !before.has(message.id));
  }

  function draw() {
    const visible = [...messages.values()].reverse().filter(matcher(search.value));
    const focused = list.contains(document.activeElement) && document.activeElement.hash;
    list.replaceChildren(...visible.map((message) => h("li", { "data-id": message.id },
      h("a", { href: `#/mailbox/${message.id}` }, h("strong", {}, message.subject),
        h("span", {}, message.to), h("small", {}, tag(message.type), " ",
          tag(...state(message)), " ", time(message.createdAt))))));
    mark();
    if (focused) [...list.querySelectorAll("a")].find(({ hash }) => hash === focused)?.focus();
    more.hidden = messages.size < limit || limit === most;
    count.textContent = !messages.size
      ? "No mail yet. Request a password reset, and its mail appears here."
      : visible.length < messages.size ? `${visible.length} of the newest ${messages.size} messages`
        : `${visible.length} message${visible.length === 1 ? "" : "s"}, newest first`;
  }

  const mark = () => list.querySelectorAll("a").forEach((link) => {
    link.ariaCurrent = link.hash === `#/mailbox/${opened}` ? "true" : null;
  });

  /** States change as time goes by. */
  function age() {
    for (const place of [...list.children, detail]) {
      const element = place.querySelector("[data-kind]");
      const message = messages.get(place.dataset.id);
      if (!element || !message) continue;
      const [words, kind] = state(message);
      if (element.textContent !== words) element.textContent = words;
      element.dataset.kind = kind;
    }
  }

  function read(message) {
    const { oobCode: code, oobLink: link, subject } = message;
    const address = own(project, `messages/${message.id}`);
    const source = () => text("GET", `${address}.eml`, { signal });
    detail.dataset.id = message.id;
    detail.replaceChildren(
      h("p.small", {}, h("a", { href: "#/mailbox" }, "Back to the list")),
      heading(subject),
      facts([
        ["To", message.to], ["From", message.from], ["Type", message.type],
        ["State", tag(...state(message))], ["Tenant", message.tenantId],
        ["Language", message.locale], ["Sent", time(message.createdAt)],
        ["Expires", time(message.expiresAt)], ["Used", time(message.usedAt)],
        ["Code", code && [h("code", {}, code), actions(copyButton("Copy code", code))]],
        ["Link", link && [h("code", {}, link), actions(copyButton("Copy link", link),
          isSafe(link) && h("a.button", { href: link, target: "_blank", rel: "noreferrer" },
            "Open link"))]],
      ]),
      tabs("Message format", [
        ["HTML", () => frame(message)],
        ["Text", () => h("pre", {}, message.text)],
        ["Headers", async () => h("pre", {}, (await source()).split(/\r?\n\r?\n/)[0])],
        ["Source", async () => h("pre", {}, await source())],
      ]),
      actions(button("Delete message", async () => {
        await call("DELETE", address);
        await load();
        say("Message deleted.");
        location.hash = "#/mailbox";
      }, { class: "danger" })));
    retitle(subject);
  }

  async function open([id], moves = true) {
    opened = id;
    root.classList.toggle("opened", Boolean(id));
    mark();
    if (!id) {
      detail.replaceChildren(hint("Choose a message to read it."));
      retitle();
      if (moves) (list.querySelector("a") ?? search).focus();
      return;
    }
    try {
      const message = messages.get(id)
        ?? await call("GET", own(project, `messages/${encodeURIComponent(id)}`), { signal });
      if (opened === id) read(message);
    } catch (error) {
      if (signal.aborted) return;
      detail.replaceChildren(heading("No such message"), hint(error.message));
    }
    if (moves) detail.querySelector("h2").focus();
  }

  const refresh = settled(async () => {
    const before = messages.get(opened)?.usedAt;
    const fresh = await load().catch(() => []);
    if (fresh.length) {
      const { subject, to } = fresh.at(-1);
      announce(fresh.length === 1 ? `New message: ${subject}, to ${to}`
        : `${fresh.length} new messages`);
    }
    const message = messages.get(opened);
    if (message && message.usedAt !== before) read(message);
  }, 50);
  hear((event) => {
    if (/^(message|code|poll|sync)/.test(event)) refresh();
    age();
  });
  const timer = setInterval(age, 1000);
  signal.addEventListener("abort", () => clearInterval(timer));
  await load();
  await open([first], false);
  return open;
}
