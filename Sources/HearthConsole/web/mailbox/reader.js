// One message: its code and link first, then all that it consists of.

import { call, own, text } from "../core/api.js";
import { linkTo } from "../core/routes.js";
import {
  actions, area, bytes, button, copyButton, dialog, download, facts, field, h, heading, hint,
  input, say, table, tabs, tag, time,
} from "../core/ui.js";
import { findLinks, links } from "./links.js";
import { addressed } from "./list.js";
import { preview } from "./preview.js";
import { codeOf, deliveryOf, isSafe, linkOf, nameOf, stateTag, typeOf } from "./state.js";

/** The code and the link, large, with what one does with them. */
function hero(message) {
  const code = codeOf(message);
  const link = linkOf(message);
  const others = (message.codes ?? []).map((one) => one.code ?? one).filter((one) => one !== code);
  return (code || link) && h("div.hero", {},
    code && h("div", {}, h("small", {}, "Code"),
      h("code", { class: code.length > 12 ? "code" : "code big", title: code }, code),
      copyButton("Copy code", code, { class: "primary" })),
    link && h("div", {}, h("small", {}, "Link"), h("code.code", { title: link }, link),
      actions(copyButton("Copy link", link), isSafe(link) && h("a.button", {
        href: link,
        target: "_blank",
        rel: "noreferrer"
      }, "Open link"))),
    others.length > 0 && hint(["Other codes: ", others.map((one) => h("code", {}, `${one} `))]));
}

const most = 5;

/** The addresses of a line; those beyond the first few are shown on request. */
function people(list) {
  if (list.length <= most + 1) return list.join(", ");
  return [list.slice(0, most).join(", "), h("details.others", {}, h("summary", {},
    `${list.length - most} more`), h("div", {}, list.slice(most).join(", ")))];
}

/** Where the message came in. */
const sources = {
  auth: "Auth",
  smtp: "SMTP",
  trigger: "Trigger Email",
  resend: "the API of Resend",
  sendgrid: "the API of SendGrid",
  postmark: "the API of Postmark",
  mailgun: "the API of Mailgun",
  ses: "the API of SES",
};

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
    ["Text", () => (message.text.trim() ? h("pre", {}, message.text) : hint("No text."))],
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
export function read(place, message, { project, signal, canRelease, params, after, changed }) {
  const address = own(project, `messages/${encodeURIComponent(message.id)}`);
  const [to, cc, bcc] = ["to", "cc", "bcc"].map((line) => addressed(message, line));
  const releasing = button("Release…", () => release(message, address), { hidden: true });
  // Without a relay nothing can be released.
  if (message.type !== "SMS") canRelease.then((can) => { releasing.hidden = !can; });
  place.dataset.id = message.id;
  place.replaceChildren(
    h("p.small", {}, h("a", { href: linkTo("mailbox", [], params) }, "Back to the list")),
    heading(nameOf(message)),
    ...[hero(message)].filter(Boolean),
    facts([
      ["State", stateTag(message)],
      ["To", people(to.length || cc.length || bcc.length ? to : [message.to])],
      ["Cc", people(cc)],
      ["Bcc", people(bcc)],
      ["From", message.fromName ? `${message.fromName} <${message.from}>` : message.from],
      ["Type", typeOf(message)],
      ["Received by", sources[message.source] ?? message.source],
      ["Tenant", message.tenantId],
      ["Language", message.locale],
      ["Sent", time(message.createdAt)],
      ["Expires", time(message.expiresAt)],
      ["Used", time(message.usedAt)],
      ["Delivery", deliveryOf(message) && [tag(deliveryOf(message), "warn"), " ", message.delivery
        .text]],
      ["Tags", tagEditor(message, address, changed)],
      ["Defects", message.defects?.length > 0 && message.defects.map((one) => h("div", {}, one
        .message ?? one))],
    ]),
    tabs("Message format", rawParts(message, address, signal)),
    actions(
      releasing,
      button("Mark unread", async () => changed(await call("POST", `${address}:markUnread`,
        { body: {} }))),
      button("Delete message", async () => {
        await call("DELETE", address);
        say("Message deleted.");
        await after();
      }, { class: "danger" })));
}
