// One message: its code and link first, then all that it consists of.

import { call, own, text } from "../core/api.js";
import { linkTo } from "../core/routes.js";
import {
  actions,
  area,
  button,
  copyButton,
  dialog,
  download,
  facts,
  field,
  h,
  heading,
  hint,
  icon,
  input,
  languageName,
  say,
  tabs,
  tag,
  time,
} from "../core/ui.js";
import { undoable } from "../core/undo.js";
import { attachments } from "./attachments.js";
import { check } from "./check.js";
import { findLinks, links } from "./links.js";
import { addressed } from "./list.js";
import { phone } from "./phone.js";
import { preview } from "./preview.js";
import {
  codeOf,
  deliveryOf,
  isOfPhone,
  isSafe,
  isTyped,
  linkOf,
  nameOf,
  stateTag,
  tagWords,
  typeMark,
  typeName,
} from "./state.js";

/** The code and the link, large, with what one does with them. */
function hero(message) {
  const code = codeOf(message);
  const link = linkOf(message);
  const others = (message.codes ?? []).map((one) => one.code ?? one).filter((one) => one !== code);
  return (code || link) &&
    h(
      "div.hero",
      {},
      code &&
        h(
          "div",
          {},
          h("small", {}, "Code"),
          h("code", { class: isTyped(code) ? "code big" : "code", title: code }, code),
          copyButton([icon("copy"), "Copy code"], code, { class: "primary with-icon" }),
        ),
      link &&
        h(
          "div",
          {},
          h("small", {}, "Link"),
          h("code.code", { title: link }, link),
          actions(
            copyButton([icon("copy"), "Copy link"], link, { class: "with-icon" }),
            isSafe(link) && h(
              "a.button.with-icon",
              { href: link, target: "_blank", rel: "noreferrer" },
              icon("open"),
              "Open link",
            ),
          ),
        ),
      others.length > 0 && hint(["Other codes: ", others.map((one) => h("code", {}, `${one} `))]),
    );
}

const most = 5;

/** The addresses of a line; those beyond the first few are shown on request. */
function people(list) {
  if (list.length <= most + 1) return list.join(", ");
  return [
    list.slice(0, most).join(", "),
    h(
      "details.others",
      {},
      h("summary", {}, `${list.length - most} more`),
      h("div", {}, list.slice(most).join(", ")),
    ),
  ];
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
  return [
    message.tags.map((name) =>
      h(
        "span.tag",
        {},
        `${tagWords(message, name)} `,
        button(icon("close"), () => put(message.tags.filter((other) => other !== name)), {
          class: "link",
          "aria-label": `Remove the tag ${name}`,
        }),
      )
    ),
    " ",
    button("Add tag", () => {
      const name = input({ required: true, maxlength: 64 });
      dialog(
        "Add a tag",
        field("Tag", name),
        "Add",
        () => put([...message.tags, name.value.trim()]),
      );
    }, { class: "slim quiet" }),
  ];
}

function release(message, address) {
  const to = area(
    3,
    (message.recipients?.to ?? [{ address: message.to }]).map(({ address }) => address).join(", "),
  );
  dialog(
    "Release",
    [
      hint("Sends the message through the server's relay to real people."),
      field("To", to, "Addresses, with commas between them"),
    ],
    "Send",
    async () => {
      const { rejected } = await call("POST", `${address}:release`, {
        body: { to: to.value.split(/[,\n]/).map((one) => one.trim()).filter(Boolean) },
      });
      if (rejected.length) {
        throw new Error(
          rejected.map((one) => `${one.to}: ${one.reply}`).join("; "),
        );
      }
      say("Released.");
    },
  );
}

const rawParts = (message, address, signal) => {
  let source = null;
  const raw = () => (source ??= text("GET", `${address}.eml`, { signal }));
  const isText = isOfPhone(message);
  const count = findLinks(message).length;
  return [
    isText && ["Phone", () => phone(message)],
    message.html && !isText && ["HTML", () => preview(message, address)],
    ["Text", () => (message.text.trim() ? h("pre", {}, message.text) : hint("No text."))],
    message.payload && ["Payload", () => h("pre", {}, JSON.stringify(message.payload, null, 2))],
    count > 0 && [`Links (${count})`, () => links(message)],
    message.attachments?.length > 0 &&
    [`Attachments (${message.attachments.length})`, () => attachments(message, address)],
    message.html && !isText && ["Mail programs", () => check(message)],
    !isText && ["Headers", async () => headers((await raw()).split(/\r?\n\r?\n/)[0])],
    !isText &&
    [
      "Source",
      async () => [
        actions(
          copyButton("Copy source", raw),
          button(
            "Download .eml",
            async () => download(`${message.id}.eml`, await raw(), "message/rfc822"),
          ),
        ),
        h("pre", {}, await raw()),
      ],
    ],
  ];
};

function headers(block) {
  const lines = block.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  return h(
    "pre",
    {},
    lines.map((line) => {
      const [, name, value] = /^([^:]+:)(.*)$/s.exec(line) ?? [null, "", line];
      return h("span.line", {}, h("b", {}, name), `${value}\n`);
    }),
  );
}

/** What one does with the message: in a line above it. */
function toolbar(message, address, { project, params, beside, canRelease, after, changed }) {
  const step = (by, mark, label) => {
    const other = beside(by);
    const named = { "aria-label": label, title: label };
    return other
      ? h(
        "a.button.icon-button",
        { href: linkTo("mailbox", [other.id], params), ...named },
        icon(mark),
      )
      : h("button.icon-button", { type: "button", disabled: true, ...named }, icon(mark));
  };
  const releasing = button("Release…", () => release(message, address), { hidden: true });
  // Without a relay nothing can be released.
  if (!isOfPhone(message)) {
    canRelease.then((can) => {
      releasing.hidden = !can;
    });
  }
  return h(
    "div.toolbar",
    { role: "group", "aria-label": "Message actions" },
    h("a.small", { href: linkTo("mailbox", [], params) }, "Back to the list"),
    step(-1, "previous", "Newer message"),
    step(1, "next", "Older message"),
    h("span.rest"),
    releasing,
    copyButton([icon("open"), "Copy address"], () => location.href, {
      class: "with-icon",
      title: "The address of this message in the console",
    }),
    button(
      [icon("unread"), "Mark unread"],
      async () => changed(await call("POST", `${address}:markUnread`, { body: {} })),
      { class: "with-icon" },
    ),
    button([icon("remove"), "Delete"], async () => {
      // As soon as it is gone, it has no neighbours.
      const next = beside(1) ?? beside(-1);
      const undo = await undoable(project, "delete-message", () => call("DELETE", address));
      say("Message deleted.", undo);
      await after(next);
    }, { class: "danger with-icon", "aria-label": "Delete message" }),
  );
}

/**
 * Shows the message in `place`. `after` is called with the one to read next when it is gone, `changed`
 * with its new state; `beside` tells its neighbours.
 */
export function read(place, message, { project, signal, ...around }) {
  const address = own(project, `messages/${encodeURIComponent(message.id)}`);
  place.dataset.id = message.id;
  place.replaceChildren(
    toolbar(message, address, { project, ...around }),
    heading(nameOf(message)),
    ...[hero(message)].filter(Boolean),
    about(message, address, around.changed),
    tabs("Message format", rawParts(message, address, signal)),
  );
}

/** All that is known of a message beside its texts. */
function about(message, address, changed) {
  const [to, cc, bcc] = ["to", "cc", "bcc"].map((line) => addressed(message, line));
  const delivery = deliveryOf(message);
  return facts([
    ["From", message.fromName ? `${message.fromName} <${message.from}>` : message.from],
    ["To", people(to.length || cc.length || bcc.length ? to : [message.to])],
    ["Cc", people(cc)],
    ["Bcc", people(bcc)],
    ["State", stateTag(message)],
    ["Type", typeName(message) && typeMark(message)],
    ["Received by", sources[message.source] ?? message.source],
    ["Tenant", message.tenantId],
    ["Language", message.locale && languageName(message.locale)],
    ["Sent", time(message.createdAt)],
    ["Expires", time(message.expiresAt)],
    ["Used", time(message.usedAt)],
    ["Delivery", delivery && [tag(delivery, "warn"), " ", message.delivery.text]],
    ["Tags", tagEditor(message, address, changed)],
    [
      "Defects",
      message.defects?.length > 0 && message.defects.map((one) => h("div", {}, one.message ?? one)),
    ],
  ]);
}
