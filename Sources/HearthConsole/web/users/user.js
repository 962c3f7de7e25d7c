// One account.

import { accounts, call, own } from "../core/api.js";
import { draftOf, keepTyped } from "../core/drafts.js";
import { undoable } from "../core/undo.js";
import { linkTo } from "../core/routes.js";
import {
  actions,
  button,
  copyButton,
  dangerous,
  facts,
  fill,
  form,
  h,
  heading,
  hint,
  pretty,
  savesChanges,
  say,
  tabs,
  tag,
  time,
} from "../core/ui.js";
import { actAs } from "./actas.js";
import { methods } from "./factors.js";
import { editor } from "./form.js";
import { nameOf, providersOf } from "./names.js";

/** The members that delete a value where an empty text does not. */
const removals = {
  displayName: { deleteAttribute: "DISPLAY_NAME" },
  photoUrl: { deleteAttribute: "PHOTO_URL" },
  email: { deleteAttribute: "EMAIL" },
  phoneNumber: { deleteProvider: "phone" },
};

/** What can be put back by itself, and what stands for nothing. */
const nothing = {
  displayName: "",
  email: "",
  phoneNumber: "",
  photoUrl: "",
  disabled: false,
  emailVerified: false,
  customAttributes: "{}",
};

/** What one does with a user, in a line. */
const actionsOf = (page, user) =>
  actions(
    user.email && button("Send password reset", () => page.sendReset(user)),
    user.email &&
      h("a.button", { href: linkTo("mailbox", [], { q: `to:${user.email}` }) }, "Mails"),
    button(
      user.disabled ? "Enable" : "Disable",
      () =>
        page.update(
          { disabled: !user.disabled },
          user.disabled ? "User enabled." : "User disabled.",
        ),
    ),
    button("End sessions", () => page.endSessions()),
    dangerous("Delete", `${nameOf(user)} will be deleted.`, () => page.remove()),
  );

/** Who it is, and in which state. */
const head = (user) =>
  h(
    "div.person",
    {},
    h("span.face", { "aria-hidden": "true" }, [...nameOf(user)][0]?.toUpperCase()),
    h(
      "div",
      {},
      heading(nameOf(user)),
      h(
        "div",
        {},
        tag(...(user.disabled ? ["disabled", "bad"] : ["enabled", "good"])),
        " ",
        user.emailVerified && tag("verified", "good"),
      ),
    ),
  );

const factsOf = (user) =>
  facts([
    [
      "Uid",
      [h("code", {}, user.localId), " ", copyButton("Copy uid", user.localId, { class: "slim" })],
    ],
    ["Signs in with", providersOf(user)],
    ["Tenant", user.tenantId],
    [
      "Second factors",
      (user.mfaInfo ?? [])
        .map((factor) => factor.displayName || factor.phoneInfo || factor.mfaEnrollmentId)
        .join(", "),
    ],
    ["Created", time(user.createdAt)],
    ["Last sign-in", time(user.lastLoginAt)],
    ["Last refresh", time(user.lastRefreshAt)],
    ["Sessions since", user.validSince && time(user.validSince * 1000)],
  ]);

/** The page of a user. */
class UserPage {
  place = h("div.card");
  news = h("div", { role: "status" });
  tab = "Profile";
  /** The user as they are shown, as text. */
  shown = "";
  isEdited = false;

  constructor(project, localId, tenant, signal) {
    Object.assign(this, { project, localId, tenant, signal });
    this.draft = draftOf(project, "user", tenant, localId);
    this.place.addEventListener("input", ({ target }) => {
      if (target.closest(".profile")) this.isEdited = true;
    });
  }

  async lookUp() {
    const { project, localId, tenant, signal } = this;
    const answer = await accounts(project, ":lookup", { localId: [localId] }, signal, tenant);
    return answer.users?.[0];
  }

  load(user) {
    return fill(this.place, async () => {
      const found = user ?? await this.lookUp();
      this.shown = JSON.stringify(found);
      this.user = found;
      this.isEdited = false;
      this.news.replaceChildren();
      return found ? this.draw(found) : [
        heading("No such user"),
        hint(`Project ${this.project} has no user ${this.localId}.`),
      ];
    });
  }

  /** Shows what has changed, unless that would take away what was typed. */
  async refresh() {
    const { place } = this;
    const user = await this.lookUp().catch(() => null);
    if (user === null || JSON.stringify(user) === this.shown || !place.isConnected) return;
    if (user && !this.isEdited) {
      const { id } = document.activeElement.dataset;
      await this.load(user);
      if (id) place.querySelector(`[data-id="${CSS.escape(id)}"]`)?.focus();
      return;
    }
    this.news.replaceChildren(
      h(
        "p.notice.warn",
        {},
        user ? "The user has changed on the server. " : "The user was deleted. ",
        button("Show that", () => {
          this.draft.drop();
          return this.load();
        }, { class: "link" }),
      ),
    );
  }

  async put({ disabled, ...body }) {
    for (const [name, removal] of Object.entries(removals)) {
      if (body[name] !== "") continue;
      delete body[name];
      for (const [list, value] of Object.entries(removal)) (body[list] ??= []).push(value);
    }
    if (disabled !== undefined) body.disableUser = disabled;
    const { project, localId, tenant } = this;
    await accounts(project, ":update", { localId, ...body }, undefined, tenant);
  }

  async update(changes, words, done) {
    const { user } = this;
    const names = Object.keys(changes);
    let undo = () =>
      this.put(Object.fromEntries(names.map((name) => [name, user[name] ?? nothing[name]])));
    if (names.every((name) => name in nothing)) await this.put(changes);
    else undo = await undoable(this.project, "change-user", () => this.put(changes));
    done?.();
    await this.drawAgain(
      words,
      undo && (async () => {
        await undo();
        if (this.place.isConnected) await this.load();
      }),
    );
  }

  async sendReset({ email }) {
    const body = { requestType: "PASSWORD_RESET", email };
    await accounts(this.project, ":sendOobCode", body, undefined, this.tenant);
    say("Sent; the mail is in the mailbox.");
  }

  /** By the server's clock, which this page does not know to the second. */
  async endSessions() {
    const { project, localId, tenant } = this;
    await call("POST", own(project, "accounts:bulk"), {
      body: { action: "revokeSessions", localIds: [localId], ...(tenant && { tenantId: tenant }) },
    });
    await this.drawAgain("All sessions ended.");
  }

  async remove() {
    const { project, localId, tenant } = this;
    const undo = await undoable(
      project,
      "delete-user",
      () => accounts(project, ":delete", { localId }, undefined, tenant),
    );
    say("User deleted.", undo);
    location.hash = linkTo("users");
  }

  async drawAgain(words, undo) {
    await this.load();
    this.place.querySelector("h2")?.focus();
    say(words, undo);
  }

  draw(user) {
    const { changes, controls, fields } = editor(user);
    // A password is nothing to keep in a browser.
    const { password: _, ...kept } = controls;
    const told = keepTyped(this.draft, kept, () => this.load(user));
    if (told) this.isEdited = true;
    this.news.replaceChildren(told ?? "");
    const save = () => this.update(changes(), "User saved.", () => this.draft.drop());
    const update = (...change) => this.update(...change);
    return [
      head(user),
      actionsOf(this, user),
      factsOf(user),
      tabs(
        "User",
        [
          ["Profile", () => {
            const profile = form(fields, "Save", save);
            savesChanges(profile, () => Object.keys(changes()).length > 0);
            return h("div.profile", {}, profile);
          }],
          ["Sign-in methods", () => methods(user, update)],
          ["Act as", () => actAs(this.project, user)],
          ["Record", () => [
            actions(copyButton("Copy JSON", pretty(user))),
            h("pre", {}, pretty(user)),
          ]],
        ],
        this.tab,
        (name) => {
          this.tab = name;
        },
      ),
    ];
  }
}

/** Shows a user; answers what reads them again. */
export async function showUser(root, project, localId, tenant, signal) {
  const page = new UserPage(project, localId, tenant, signal);
  root.append(page.news, page.place);
  await page.load();
  return () => page.refresh();
}
