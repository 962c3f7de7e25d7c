// Accounts: found, made, changed, ended.

import { accounts, call, now, own } from "./api.js";
import { tokenTool } from "./keys.js";
import {
  actions, area, button, checkbox, copyButton, dangerous, facts, field, fill, form, h, heading,
  hint, input, parseObject, pretty, say, settled, table, tag, time,
} from "./ui.js";

const pageSize = 50;
const creating = "+new";
const hashOf = (localId) => `#/users/${encodeURIComponent(localId)}`;
const nameOf = (user) => user.email || user.phoneNumber || user.displayName || user.localId;
const providers = (user) => (user.providerUserInfo ?? []).map((info) => info.providerId).join(", ")
  || "anonymous or custom";

export async function show({ root, project, path, signal, hear, retitle }) {
  let refresh = null;
  const go = async ([localId], moves = true) => {
    retitle(localId);
    root.replaceChildren();
    refresh = null;
    if (localId === undefined) refresh = await showList(root, project, signal);
    else {
      root.append(h("p", {}, h("a", { href: "#/users" }, "All users")));
      if (localId === creating) newUser(root, project);
      else await showUser(root, project, localId, signal);
    }
    if (moves) root.querySelector("h2, input").focus();
  };
  const soon = settled(() => refresh?.(), 300);
  hear((event) => { if (/^(user|sync)/.test(event)) soon(); });
  await go(path, false);
  return go;
}

/** A phone number is stored without the marks that people write it with. */
function sought(text) {
  const phone = text.replace(/[\s()-]/g, "");
  return /^\+?\d+$/.test(phone) ? phone : text;
}

async function showList(root, project, signal) {
  let page = 0;
  const search = input({ type: "search", placeholder: "ann@example.com" });
  const count = h("p.hint", { role: "status" });
  const place = h("div");
  const back = button("Previous", () => load(page - 1));
  const next = button("Next", () => load(page + 1));
  search.addEventListener("input", settled(() => load(0), 250));
  root.append(
    h("search.bar", {}, form(field("Find", search, "A part of the e-mail address, phone number, name or uid"),
      "Find", () => load(0), ""),
    h("a.button.primary", { href: hashOf(creating) }, "New user"),
    dangerous("Delete all", `All accounts of ${project} will be deleted.`, async () => {
      await call("DELETE", `/emulator/v1/projects/${encodeURIComponent(project)}/accounts`);
      await load(0);
    })),
    count, place, actions(back, next),
    h("details", {}, h("summary", {}, "Decode a token"), tokenTool(project)));

  const load = (wanted) => fill(place, async () => {
    const text = search.value.trim();
    const query = new URLSearchParams({
      q: sought(text), limit: pageSize, offset: wanted * pageSize });
    const { userInfo: users = [], recordsCount: total } = await call(
      "GET", own(project, `accounts?${query}`), { signal });
    page = wanted;
    const start = page * pageSize;
    count.textContent = total > 0 ? `${start + 1}–${start + users.length} of ${total}, newest first`
      : text ? "No users found." : "No users yet.";
    back.hidden = !page;
    next.hidden = start + users.length >= total;
    if (!users.length) return [];
    return table("Users", [["User"], ["Uid", "wide"], ["Signs in with", "wide"], ["State"],
      ["Created", "wide"], ["Last sign-in", "wide"]], users.map((user) => [
      [h("a", { href: hashOf(user.localId) }, nameOf(user)), " ", h("small", {}, user.displayName)],
      h("code", {}, user.localId), providers(user),
      user.disabled ? tag("disabled", "bad") : user.emailVerified && tag("verified", "good"),
      time(user.createdAt), time(user.lastLoginAt),
    ]));
  });
  await load(0);
  return () => load(page);
}

/** The form of an account, and what the person changed in it: the members for the wire. */
function editor(user) {
  const texts = {
    displayName: ["Name"], email: ["E-mail", { type: "email" }],
    phoneNumber: ["Phone", { type: "tel", placeholder: "+15555550100" }],
    photoUrl: ["Photo", { type: "url", placeholder: "https://…" }],
    password: [user.localId ? "New password" : "Password"],
  };
  const controls = Object.entries(texts).map(([name, [label, attributes]]) => [name, label,
    input({ value: user[name] ?? "", ...attributes })]);
  const verified = checkbox(user.emailVerified);
  const disabled = checkbox(user.disabled);
  const before = user.customAttributes ? pretty(JSON.parse(user.customAttributes)) : "";
  const claims = area(4, before);
  const changes = () => {
    const body = {};
    for (const [name, , control] of controls) {
      const value = control.value.trim();
      if (value !== (user[name] ?? "")) body[name] = value;
    }
    // A new address is not verified, unless the box says so.
    if (body.email || verified.checked !== Boolean(user.emailVerified)) {
      body.emailVerified = verified.checked;
    }
    if (disabled.checked !== Boolean(user.disabled)) body.disabled = disabled.checked;
    if (claims.value.trim() !== before) {
      body.customAttributes = JSON.stringify(parseObject(claims.value.trim() || "{}", "Custom claims"));
    }
    return body;
  };
  return { changes, fields: [
    h("div.grid", {}, controls.map(([, label, control]) => field(label, control))),
    field("E-mail is verified", verified), field("Disabled", disabled),
    field("Custom claims", claims, "A JSON object, at most 1000 characters"),
  ] };
}

function newUser(root, project) {
  const uid = input({ maxlength: 128 });
  const { changes, fields } = editor({});
  root.append(heading("New user"), form([field("Uid", uid, "Generated if left empty"), fields],
    "Create", async () => {
      const { customAttributes, ...body } = changes();
      if (uid.value) body.localId = uid.value;
      const { localId } = await accounts(project, "", body);
      if (customAttributes) await accounts(project, ":update", { localId, customAttributes });
      say("User created.");
      location.hash = hashOf(localId);
    }));
}

/** The members that delete a value where an empty text does not. */
const removals = {
  displayName: { deleteAttribute: "DISPLAY_NAME" }, photoUrl: { deleteAttribute: "PHOTO_URL" },
  email: { deleteAttribute: "EMAIL" }, phoneNumber: { deleteProvider: "phone" },
};

async function showUser(root, project, localId, signal) {
  const place = root.appendChild(h("div.card"));
  const load = () => fill(place, async () => {
    const { users } = await accounts(project, ":lookup", { localId: [localId] }, signal);
    return users?.length ? draw(users[0])
      : [heading("No such user"), hint(`Project ${project} has no user ${localId}.`)];
  });

  async function update(changes, words) {
    const { disabled, ...body } = changes;
    for (const [name, removal] of Object.entries(removals)) {
      if (body[name] !== "") continue;
      delete body[name];
      for (const [list, value] of Object.entries(removal)) (body[list] ??= []).push(value);
    }
    if (disabled !== undefined) body.disableUser = disabled;
    await accounts(project, ":update", { localId, ...body });
    await load();
    place.querySelector("h2")?.focus();
    say(words);
  }

  function draw(user) {
    const { changes, fields } = editor(user);
    return [
      heading(nameOf(user)),
      actions(
        user.email && button("Send password reset", async () => {
          await accounts(project, ":sendOobCode",
            { requestType: "PASSWORD_RESET", email: user.email });
          say("Sent; the mail is in the mailbox.");
        }),
        button(user.disabled ? "Enable" : "Disable", () => update(
          { disabled: !user.disabled }, user.disabled ? "User enabled." : "User disabled.")),
        button("End sessions", () => update(
          { validSince: String(Math.floor(now() / 1000)) }, "All sessions ended.")),
        dangerous("Delete", `${nameOf(user)} will be deleted.`, async () => {
          await accounts(project, ":delete", { localId });
          say("User deleted.");
          location.hash = "#/users";
        })),
      facts([
        ["Uid", [h("code", {}, localId), " ", copyButton("Copy uid", localId)]],
        ["State", user.disabled ? tag("disabled", "bad") : tag("enabled", "good")],
        ["Signs in with", providers(user)],
        ["Second factors", (user.mfaInfo ?? []).map((factor) => factor.displayName
          || factor.phoneInfo || factor.mfaEnrollmentId).join(", ")],
        ["Created", time(user.createdAt)], ["Last sign-in", time(user.lastLoginAt)],
        ["Sessions since", user.validSince && time(user.validSince * 1000)],
      ]),
      form(fields, "Save", () => update(changes(), "User saved.")),
      h("details", {}, h("summary", {}, "The whole record"), h("pre", {}, pretty(user))),
    ];
  }
  await load();
}
