// How users may sign in to the project: one account per address, and identity providers.

import { config } from "../core/api.js";
import { linkTo } from "../core/routes.js";
import { undoable } from "../core/undo.js";
import {
  button,
  buttonsHead,
  checkbox,
  dangerous,
  dialog,
  fail,
  field,
  h,
  heading,
  hint,
  input,
  paced,
  say,
  select,
  table,
  tag,
} from "../core/ui.js";
import { providerName, providerOptions } from "../users/names.js";

const known = [
  "google.com",
  "apple.com",
  "facebook.com",
  "github.com",
  "microsoft.com",
  "twitter.com",
  "yahoo.com",
  "linkedin.com",
  "playgames.google.com",
];
const groups = [
  ["defaultSupportedIdpConfigs", "Well-known"],
  ["oauthIdpConfigs", "OpenID Connect"],
  ["inboundSamlConfigs", "SAML"],
];

/** A box for a setting of the project, which is saved when it is ticked. */
function toggle(project, label, value, mask, body) {
  const box = checkbox(value);
  box.addEventListener("change", async () => {
    try {
      const put = (isOn) =>
        config(project, "PATCH", `config?updateMask=${mask}`, body(box.checked = isOn));
      await put(box.checked);
      const before = !box.checked;
      say("Saved.", () => put(before));
    } catch (error) {
      box.checked = !box.checked;
      fail(error);
    }
  });
  return field(label, box);
}

const toggles = (project, { signIn, emailPrivacyConfig }) => [
  toggle(
    project,
    "Allow several accounts with one e-mail address",
    signIn?.allowDuplicateEmails,
    "signIn.allowDuplicateEmails",
    (on) => ({ signIn: { allowDuplicateEmails: on } }),
  ),
  toggle(
    project,
    "Hide whether an e-mail address is known",
    emailPrivacyConfig?.enableImprovedEmailPrivacy,
    "emailPrivacyConfig",
    (on) => ({ emailPrivacyConfig: { enableImprovedEmailPrivacy: on } }),
  ),
];

/** Asks for a provider, and adds it. */
function add(project, load) {
  const kind = select(
    [...providerOptions(known), ["oidc", "Other: OpenID Connect"]],
    "google.com",
  );
  // What is hidden may not keep the form from being sent.
  const id = input({ value: "oidc.", pattern: "oidc\\..+", disabled: true });
  const client = input({ required: true, value: "client-id" });
  const issuer = input({ type: "url", placeholder: "https://issuer.example.com" });
  const more = h("div", { hidden: true }, field("Provider id", id), field("Issuer", issuer));
  kind.addEventListener("change", () => {
    more.hidden = kind.value !== "oidc";
    id.disabled = more.hidden;
    issuer.required = !more.hidden;
  });
  const fields = [field("Provider", kind), more, field("Client id", client)];
  dialog("Add a provider", fields, "Add", async () => {
    const isOther = kind.value === "oidc";
    const list = isOther ? "oauthIdpConfigs" : "defaultSupportedIdpConfigs";
    const wanted = isOther ? id.value : kind.value;
    const name = isOther ? "oauthIdpConfigId" : "idpId";
    await config(project, "POST", `${list}?${name}=${encodeURIComponent(wanted)}`, {
      enabled: true,
      clientId: client.value,
      ...(isOther ? { issuer: issuer.value } : { clientSecret: "secret" }),
    });
    await load();
    say("Provider added.", async () => {
      await config(project, "DELETE", `${list}/${wanted}`);
      await load();
    });
  });
}

/** The configured providers of one of the groups. */
async function readGroup(project, [key, label], signal) {
  const answer = await config(project, "GET", key, undefined, signal).catch(() => ({}));
  return (answer[key] ?? []).map((one) => ({
    ...one,
    key,
    label,
    id: one.name.split("/").at(-1),
  }));
}

function buttonsOf(project, one, load) {
  const path = `${one.key}/${one.id}`;
  const turn = async () => {
    await config(project, "PATCH", `${path}?updateMask=enabled`, { enabled: !one.enabled });
    await load();
  };
  const remove = async () => {
    const work = () => config(project, "DELETE", path);
    const undo = await undoable(project, "delete-provider", work);
    await load();
    say("Provider deleted.", undo);
  };
  const word = one.enabled ? "Disable" : "Enable";
  return h(
    "span.pair",
    {},
    button(word, turn, { class: "slim", "aria-label": `${word} ${one.id}` }),
    dangerous("Delete", `The configuration of ${one.id} will be deleted.`, remove, {
      class: "danger slim",
      "aria-label": `Delete ${one.id}`,
    }),
  );
}

const listOf = (project, found, load) =>
  found.length
    ? table(
      "Providers",
      [["Provider"], ["Kind", "wide"], ["State"], buttonsHead()],
      found.map((one) => [
        h("span", { title: one.id }, providerName(one.id)),
        one.label,
        tag(one.enabled ? "enabled" : "disabled", one.enabled ? "good" : ""),
        buttonsOf(project, one, load),
      ]),
    )
    : hint([
      "No providers yet. Users sign in with any provider all the same, unless a ",
      h("a", { href: linkTo("settings") }, "switch"),
      " refuses those without configuration.",
    ]);

export async function providers({ root, project, signal, hear }) {
  const place = h("div");
  const settings = await config(project, "GET", "config", undefined, signal);
  const load = async () => {
    const found = await Promise.all(groups.map((group) => readGroup(project, group, signal)));
    place.replaceChildren(listOf(project, found.flat(), load));
  };
  root.append(
    ...toggles(project, settings),
    heading("Identity providers"),
    place,
    h(
      "p.actions",
      {},
      button("Add a provider", () => add(project, load), { class: "primary" }),
    ),
  );
  const soon = paced(() => load().catch(() => {}), 300);
  hear((event) => {
    if (/^(settings|sync|poll)/.test(event)) soon();
  });
  await load();
}
