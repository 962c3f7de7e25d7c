// How users may sign in to the project: one account per address, and identity providers.

import { config } from "../core/api.js";
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

export async function providers({ root, project, signal, hear }) {
  const place = h("div");
  const settings = await config(project, "GET", "config", undefined, signal);

  const toggle = (label, value, mask, body, note) => {
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
    return field(label, box, note);
  };

  function add() {
    const kind = select(
      [...known.map((id) => [id]), ["oidc", "Other: OpenID Connect"]],
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
    dialog(
      "Add a provider",
      [field("Provider", kind), more, field("Client id", client)],
      "Add",
      async () => {
        const isOther = kind.value === "oidc";
        const list = isOther ? "oauthIdpConfigs" : "defaultSupportedIdpConfigs";
        const wanted = isOther ? id.value : kind.value;
        await config(
          project,
          "POST",
          `${list}?${isOther ? "oauthIdpConfigId" : "idpId"}=${encodeURIComponent(wanted)}`,
          {
            enabled: true,
            clientId: client.value,
            ...(isOther ? { issuer: issuer.value } : { clientSecret: "secret" }),
          },
        );
        await load();
        say("Provider added.", async () => {
          await config(project, "DELETE", `${list}/${wanted}`);
          await load();
        });
      },
    );
  }

  async function load() {
    const found = (await Promise.all(groups.map(async ([key, label]) => {
      const answer = await config(project, "GET", key, undefined, signal).catch(() => ({}));
      return (answer[key] ?? []).map((one) => ({
        ...one,
        key,
        label,
        id: one.name.split("/").at(-1),
      }));
    }))).flat();
    place.replaceChildren(
      found.length
        ? table(
          "Providers",
          [["Provider"], ["Kind", "wide"], ["State"], buttonsHead()],
          found.map((one) => [
            one.id,
            one.label,
            tag(one.enabled ? "enabled" : "disabled", one.enabled ? "good" : ""),
            h(
              "span.pair",
              {},
              button(one.enabled ? "Disable" : "Enable", async () => {
                await config(project, "PATCH", `${one.key}/${one.id}?updateMask=enabled`, {
                  enabled: !one.enabled,
                });
                await load();
              }, {
                class: "slim",
                "aria-label": `${one.enabled ? "Disable" : "Enable"} ${one.id}`,
              }),
              dangerous("Delete", `The configuration of ${one.id} will be deleted.`, async () => {
                const undo = await undoable(
                  project,
                  "delete-provider",
                  () => config(project, "DELETE", `${one.key}/${one.id}`),
                );
                await load();
                say("Provider deleted.", undo);
              }, { class: "danger slim", "aria-label": `Delete ${one.id}` }),
            ),
          ]),
        )
        : hint(
          "None is configured. " +
            "Without strictProviders, users sign in with any provider all the same.",
        ),
    );
  }
  root.append(
    toggle(
      "Allow several accounts with one e-mail address",
      settings.signIn
        ?.allowDuplicateEmails,
      "signIn.allowDuplicateEmails",
      (on) => ({ signIn: { allowDuplicateEmails: on } }),
    ),
    toggle(
      "Hide whether an e-mail address is known",
      settings.emailPrivacyConfig
        ?.enableImprovedEmailPrivacy,
      "emailPrivacyConfig",
      (on) => ({ emailPrivacyConfig: { enableImprovedEmailPrivacy: on } }),
    ),
    heading("Identity providers"),
    place,
    h("p.actions", {}, button("Add a provider", add, { class: "primary" })),
  );
  const soon = paced(() => load().catch(() => {}), 300);
  hear((event) => {
    if (/^(settings|sync|poll)/.test(event)) soon();
  });
  await load();
}
