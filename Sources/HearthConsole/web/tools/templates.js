// The words of a project's mails, with a preview while one types.

import { call, config, own } from "../core/api.js";
import { draftOf, keepTyped } from "../core/drafts.js";
import {
  area,
  button,
  field,
  fill,
  form,
  h,
  hint,
  input,
  say,
  select,
  settled,
} from "../core/ui.js";
import { preview } from "../mailbox/preview.js";

const kinds = {
  resetPasswordTemplate: ["Password reset", "PASSWORD_RESET"],
  verifyEmailTemplate: ["Verify the e-mail address", "VERIFY_EMAIL"],
  changeEmailTemplate: ["The e-mail address was changed", "RECOVER_EMAIL"],
};
const languages = ["en", "de", "es", "fr", "it", "ja", "pt", "zh", "ar", "he"];

export async function templates({ root, project, signal }) {
  const settings = await config(project, "GET", "config", undefined, signal);
  const stored = { ...settings.notification?.sendEmail };
  const kind = select(
    Object.entries(kinds).map(([key, [label]]) => [key, label]),
    "resetPasswordTemplate",
  );
  const language = select(languages.map((code) => [code]), "en");
  const subject = input();
  const body = area(12, "");
  const sender = input();
  const format = select([["HTML", "HTML"], ["PLAIN_TEXT", "Text"]], "HTML");
  const place = h("div.card", { "aria-label": "Preview", role: "region" });

  const news = h("div", { role: "status" });
  const draft = () => draftOf(project, "template", kind.value);

  const template = () => ({
    ...(subject.value && { subject: subject.value }),
    ...(body.value && { body: body.value, bodyFormat: format.value }),
    ...(sender.value && { senderDisplayName: sender.value }),
  });

  function read() {
    const { subject: words = "", body: text = "", senderDisplayName = "", bodyFormat = "HTML" } =
      stored[kind.value] ?? {};
    subject.value = words;
    body.value = text;
    sender.value = senderDisplayName;
    format.value = bodyFormat;
    const told = keepTyped(draft(), { subject, body, sender, format }, read);
    news.replaceChildren(told ?? "");
    draw();
  }

  const draw = () =>
    fill(place, async () => {
      const mail = await call("POST", own(project, "templates:preview"), {
        signal,
        body: { type: kinds[kind.value][1], locale: language.value, template: template() },
      });
      return [
        h("p", {}, h("strong", {}, mail.subject)),
        ...(mail.html ? preview({ subject: mail.subject ?? "", html: mail.html }, "") : [h(
          "pre",
          {},
          mail.text,
        )]),
      ];
    });
  const soon = settled(draw, 250);
  for (const control of [subject, body, sender]) control.addEventListener("input", soon);
  for (const control of [language, format]) control.addEventListener("change", soon);
  kind.addEventListener("change", read);

  async function put(name, value) {
    await config(project, "PATCH", `config?updateMask=notification.sendEmail.${name}`, {
      notification: { sendEmail: { [name]: value } },
    });
    stored[name] = value;
    if (name === kind.value) {
      draft().drop();
      read();
    }
  }

  async function save(value) {
    const [name, before] = [kind.value, stored[kind.value] ?? {}];
    await put(name, value);
    say("Template saved.", () => put(name, before));
  }
  root.append(
    news,
    h(
      "div.halves",
      {},
      h(
        "div",
        {},
        form(
          [
            h("div.grid", {}, field("Mail", kind), field("Language of the preview", language)),
            field("Subject", subject, "Empty: the built-in one"),
            field("Sender's name", sender),
            field(
              "Body",
              body,
              "%LINK%, %EMAIL%, %NEW_EMAIL%, %DISPLAY_NAME% and %APP_NAME% are replaced. Empty: the built-in words in the user's language",
            ),
            field("Format", format),
          ],
          "Save",
          () => save(template()),
          "primary",
          button("Use the built-in words", () => save({})),
        ),
      ),
      place,
    ),
    hint("Templates are those of notification.sendEmail in the project's v2 config."),
  );
  read();
}
