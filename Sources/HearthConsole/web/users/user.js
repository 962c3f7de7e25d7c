// One account.

import { accounts, call, own } from "../core/api.js";
import { linkTo } from "../core/routes.js";
import {
  actions, button, copyButton, dangerous, facts, fill, form, h, heading, hint, pretty, say, tabs,
  tag, time,
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

export async function showUser(root, project, localId, tenant, signal) {
  const place = root.appendChild(h("div.card"));
  let tab = "Profile";
  const load = () => fill(place, async () => {
    const { users } = await accounts(project, ":lookup", { localId: [localId] }, signal,
      tenant);
    return users?.length ? draw(users[0]) :
      [heading("No such user"), hint(`Project ${project} has no user ${localId}.`)];
  });

  async function update(changes, words) {
    const { disabled, ...body } = changes;
    for (const [name, removal] of Object.entries(removals)) {
      if (body[name] !== "") continue;
      delete body[name];
      for (const [list, value] of Object.entries(removal))(body[list] ??= []).push(value);
    }
    if (disabled !== undefined) body.disableUser = disabled;
    await accounts(project, ":update", { localId, ...body }, undefined, tenant);
    await drawAgain(words);
  }

  /** By the server's clock, which this page does not know to the second. */
  async function endSessions() {
    await call("POST", own(project, "accounts:bulk"), {
      body: { action: "revokeSessions", localIds: [localId], ...(tenant && { tenantId: tenant }) }
    });
    await drawAgain("All sessions ended.");
  }

  async function drawAgain(words) {
    await load();
    place.querySelector("h2")?.focus();
    say(words);
  }

  function draw(user) {
    const { changes, fields } = editor(user);
    return [
      h("div.person", {}, h("span.face", { "aria-hidden": "true" }, [...nameOf(user)][0]
          ?.toUpperCase()),
        h("div", {}, heading(nameOf(user)), h("div", {}, tag(...(user.disabled ? ["disabled",
            "bad"
          ] : ["enabled", "good"])), " ",
          user.emailVerified && tag("verified", "good")))),
      actions(
        user.email && button("Send password reset", async () => {
          await accounts(project, ":sendOobCode", { requestType: "PASSWORD_RESET",
            email: user.email }, undefined, tenant);
          say("Sent; the mail is in the mailbox.");
        }),
        user.email && h("a.button", { href: linkTo("mailbox", [], { q: `to:${user.email}` }) },
          "Mails"),
        button(user.disabled ? "Enable" : "Disable", () => update({ disabled: !user.disabled },
          user.disabled ? "User enabled." : "User disabled.")),
        button("End sessions", endSessions),
        dangerous("Delete", `${nameOf(user)} will be deleted.`, async () => {
          await accounts(project, ":delete", { localId }, undefined, tenant);
          say("User deleted.");
          location.hash = linkTo("users");
        })),
      facts([
        ["Uid", [h("code", {}, localId), " ", copyButton("Copy uid",
        localId, { class: "slim" })]],
        ["Signs in with", providersOf(user)],
        ["Tenant", user.tenantId],
        ["Second factors", (user.mfaInfo ?? []).map((factor) => factor.displayName ||
          factor.phoneInfo || factor.mfaEnrollmentId).join(", ")],
        ["Created", time(user.createdAt)],
        ["Last sign-in", time(user.lastLoginAt)],
        ["Last refresh", time(user.lastRefreshAt)],
        ["Sessions since", user.validSince && time(user.validSince * 1000)],
      ]),
      tabs("User", [
        ["Profile", () => form(fields, "Save", () => update(changes(), "User saved."))],
        ["Sign-in methods", () => methods(user, update)],
        ["Act as", () => actAs(project, user)],
        ["Record", () => [actions(copyButton("Copy JSON", pretty(user))), h("pre", {}, pretty(
          user))]],
      ], tab, (name) => { tab = name; }),
    ];
  }
  await load();
}
