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
  languageName,
  savesChanges,
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
const languages = ["en", "de", "es", "fr", "it", "ja", "pt", "zh", "ar", "he"]
  .map((code) => [code, languageName(code)]);

const marks =
  "%LINK%, %EMAIL%, %NEW_EMAIL%, %DISPLAY_NAME% and %APP_NAME% are replaced. Empty: the built-in words in the user's language";

class Templates {
  kind = select(
    Object.entries(kinds).map(([key, [label]]) => [key, label]),
    "resetPasswordTemplate",
  );
  language = select(languages, "en");
  subject = input();
  body = area(12, "");
  sender = input();
  format = select([["HTML", "HTML"], ["PLAIN_TEXT", "Text"]], "HTML");
  place = h("div.card", { "aria-label": "Preview", role: "region" });
  news = h("div", { role: "status" });

  constructor({ project, signal }, stored) {
    Object.assign(this, { project, signal, stored });
    const soon = settled(() => this.draw(), 250);
    for (const control of [this.subject, this.body, this.sender]) {
      control.addEventListener("input", soon);
    }
    for (const control of [this.language, this.format]) control.addEventListener("change", soon);
    this.kind.addEventListener("change", () => this.read());
  }

  get draft() {
    return draftOf(this.project, "template", this.kind.value);
  }

  get template() {
    const { subject, body, sender, format } = this;
    return {
      ...(subject.value && { subject: subject.value }),
      ...(body.value && { body: body.value, bodyFormat: format.value }),
      ...(sender.value && { senderDisplayName: sender.value }),
    };
  }

  /** Shows what is stored, or what was typed and not saved. */
  read() {
    const { subject, body, sender, format } = this;
    const known = this.stored[this.kind.value] ?? {};
    subject.value = known.subject ?? "";
    body.value = known.body ?? "";
    sender.value = known.senderDisplayName ?? "";
    format.value = known.bodyFormat ?? "HTML";
    const typed = { subject, body, sender, format };
    this.news.replaceChildren(keepTyped(this.draft, typed, () => this.read()) ?? "");
    this.look();
    this.draw();
  }

  draw() {
    return fill(this.place, async () => {
      const mail = await call("POST", own(this.project, "templates:preview"), {
        signal: this.signal,
        body: {
          type: kinds[this.kind.value][1],
          locale: this.language.value,
          template: this.template,
        },
      });
      const words = mail.html
        ? preview({ subject: mail.subject ?? "", html: mail.html }, "")
        : [h("pre", {}, mail.text)];
      return [h("p", {}, h("strong", {}, mail.subject)), ...words];
    });
  }

  async put(name, value) {
    await config(this.project, "PATCH", `config?updateMask=notification.sendEmail.${name}`, {
      notification: { sendEmail: { [name]: value } },
    });
    this.stored[name] = value;
    if (name === this.kind.value) {
      this.draft.drop();
      this.read();
    }
  }

  async save(value) {
    const name = this.kind.value;
    const before = this.stored[name] ?? {};
    await this.put(name, value);
    say("Template saved.", () => this.put(name, before));
  }

  /** Whether what is typed differs from what is stored. */
  get isChanged() {
    const known = this.stored[this.kind.value] ?? {};
    const { bodyFormat = "HTML", subject = "", body = "", senderDisplayName = "" } = known;
    return [subject, body, senderDisplayName, bodyFormat].join("\0") !==
      [this.subject, this.body, this.sender, this.format].map(({ value }) => value).join("\0");
  }

  form() {
    const { kind, language, subject, sender, body, format } = this;
    const element = form(
      [
        h("div.grid", {}, field("Mail", kind), field("Language of the preview", language)),
        field("Subject", subject, "Empty: the built-in one"),
        field("Sender's name", sender),
        field("Body", body, marks),
        field("Format", format),
      ],
      "Save",
      () => this.save(this.template),
      "primary",
      button("Use the built-in words", () => this.save({})),
    );
    this.look = savesChanges(element, () => this.isChanged);
    return element;
  }
}

export async function templates({ root, project, signal }) {
  const settings = await config(project, "GET", "config", undefined, signal);
  const view = new Templates({ project, signal }, { ...settings.notification?.sendEmail });
  root.append(
    view.news,
    h("div.halves", {}, h("div", {}, view.form()), view.place),
    hint(
      "Admin SDKs and scripts set the same words, as notification.sendEmail of the project's configuration.",
    ),
  );
  view.read();
}
