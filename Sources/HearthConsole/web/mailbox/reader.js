// One message: its code and link first, then all that it consists of.

import { call, own, text } from "../core/api.js";
import { linkTo } from "../core/routes.js";
import {
  actions, area, bytes, button, copyButton, dialog, download, facts, field, h, heading, hint,
  input, say, table, tabs, tag, time,
} from "../core/ui.js";
import { findLinks, links } from "./links.js";
import { addressed, recipients } from "./list.js";
import { preview } from "./preview.js";
import { codeOf, isSafe, linkOf, nameOf, state } from "./state.js";

/** The code and the link, large, with what one does with them. */
function hero(message) {
  const code = codeOf(message);
  const link = linkOf(message);
  const others = (message.codes ?? []).map((one) => one.code ?? one).filter((one) => one !== code);
  return (code || link) && h("div.hero", {},
    code && h("div", {}, h("small", {}, "Code"),
      h("code", { class: code.length > 12 ? "code" : "code big" }, code),
      copyButton("Copy code", code, { class: "primary" })),
    link && h("div", {}, h("small", {}, "Link"), h("code.code", {}, link),
      actions(copyButton("Copy link", link), isSafe(link) && h("a.button", {
        href: link,
        target: "_blank",
        rel: "noreferrer"
      }, "Open link"))),
    others.length > 0 && hint(["Other codes: ", others.map((one) => h("code", {}, `${one} `))]));
}

function tagEditor(message, address, changed) {
  const put = async (wanted) => changed(await call("PATCH", address, { body: { tags: wanted } }));
  return [message.tags.map((name) => h("span.tag", {}, `#${name} `, button("×",
      () => put(message.tags.filter((other) => other !== name)), {
        class: "link",
        "aria-label": `Remove the tag ${name}`
      }))), " ",
    button("Add tag", () => {
      const name = input({ required: true, maxlength: 64 });
      dialog("Add a tag", field("Tag", name), "Add", () => put([...message.tags, name.value
        .trim()
      ]));
    }, { class: "slim quiet" })
  ];
}

function release(message, address) {
  const to = area(3, (message.recipients?.to ?? [{ address: message.to }]).map(({ address }) =>
    address).join(", "));
  dialog("Release", [hint("Sends the message through the server's relay to real people."),
    field("To", to, "Addresses, with commas between them")
  ], "Send", async () => {
    const { rejected } = await call("POST", `${address}:release`, {
      body: { to: to.value.split(/[,\n]/).map((one) => one.trim()).filter(Boolean) }
    });
    if (rejected.length) throw new Error(rejected.map((one) => `${one.to}: ${one.reply}`).join("; "));
    say("Released.");
  });
}

function attachments(message, address) {
  return table("Attachments", [["Name"], ["Type"], ["Size", "number"]], message.attachments.map(
    ({ id, name, type, size }) => [h("a", {
      href: `${address}/attachments/${encodeURIComponent(id)}`,
      download: name || "attachment",
    }, name || "attachment"), type, bytes(size ?? 0)]));
}

const rawParts = (message, address, signal) => {
  let source = null;
  const raw = () => (source ??= text("GET", `${address}.eml`, { signal }));
  const isText = message.type === "SMS";
  const count = findLinks(message).length;
  return [
    message.html && !isText && ["HTML", () => preview(message, address)],
    ["Text", () => h("pre", {}, message.text)],
    count > 0 && [`Links (${count})`, () => links(message)],
    message.attachments?.length > 0 && [`Attachments (${message.attachments.length})`,
      () => attachments(message, address)
    ],
    !isText && ["Headers", async () => headers((await raw()).split(/\r?\n\r?\n/)[0])],
    !isText && ["Source", async () => [actions(copyButton("Copy source", raw),
        button("Download .eml", async () => download(`${message.id}.eml`, await raw(),
          "message/rfc822"))),
      h("pre", {}, await raw())
    ]],
  ];
};

function headers(block) {
  const lines = block.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  return h("pre", {}, lines.map((line) => {
    const [, name, value] = /^([^:]+:)(.*)$/s.exec(line) ?? [null, "", line];
    return h("span.line", {}, h("b", {}, name), `${value}\n`);
  }));
}

/** Shows the message in `place`; `after` is called when it is gone, `changed` with its new state. */
export function read(place, message, { project, signal, params, after, changed }) {
  const address = own(project, `messages/${encodeURIComponent(message.id)}`);
  const [words, kind] = state(message);
  place.dataset.id = message.id;
  place.replaceChildren(
    h("p.small", {}, h("a", { href: linkTo("mailbox", [], params) }, "Back to the list")),
    heading(nameOf(message)),
    ...[hero(message)].filter(Boolean),
    facts([
      ["State", words && tag(words, kind)],
      ["To", recipients(message)],
      ["Cc", addressed(message, "cc")],
      ["Bcc", addressed(message, "bcc")],
      ["From", message.fromName ? `${message.fromName} <${message.from}>` : message.from],
      ["Type", message.type],
      ["Came by", message.source],
      ["Tenant", message.tenantId],
      ["Language", message.locale],
      ["Sent", time(message.createdAt)],
      ["Expires", time(message.expiresAt)],
      ["Used", time(message.usedAt)],
      ["Delivery", message.delivery && message.delivery.state !== "delivered" && [message
        .delivery.state, message.delivery.text
      ].filter(Boolean).join(": ")],
      ["Tags", tagEditor(message, address, changed)],
      ["Defects", message.defects?.length > 0 && message.defects.map((one) => h("div", {}, one
        .message ?? one))],
    ]),
    tabs("Message format", rawParts(message, address, signal)),
    actions(
      message.type !== "SMS" && button("Release…", () => release(message, address)),
      button("Mark unread", async () => changed(await call("POST", `${address}:markUnread`,
        { body: {} }))),
      button("Delete message", async () => {
        await call("DELETE", address);
        say("Message deleted.");
        await after();
      }, { class: "danger" })));
}
