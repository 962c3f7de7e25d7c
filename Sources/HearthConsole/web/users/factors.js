// How a user signs in: linked providers and second factors.

import {
  button,
  buttonsHead,
  dangerous,
  dialog,
  field,
  h,
  heading,
  hint,
  input,
  select,
  table,
  time,
} from "../core/ui.js";
import { providerName } from "./names.js";

export const methods = ({ providerUserInfo = [], mfaInfo = [] }, update) => [
  heading("Linked providers", 3),
  providerUserInfo.length
    ? providerTable(providerUserInfo, update)
    : hint("None: the user is anonymous, or signs in with custom tokens."),
  h("p.actions", {}, button("Link a provider", () => link(update))),
  heading("Second factors", 3),
  mfaInfo.length ? factorTable(mfaInfo, update) : hint("None."),
  h("p.actions", {}, button("Add a phone factor", () => addPhone(mfaInfo, update))),
];

const providerTable = (providers, update) =>
  table(
    "Linked providers",
    [["Provider"], ["Account"], buttonsHead()],
    providers.map((info) => [
      h("span", { title: info.providerId }, providerName(info.providerId)),
      info.email ?? info.phoneNumber ?? info.federatedId ?? info.rawId,
      dangerous(
        "Unlink",
        `The user can no longer sign in with ${providerName(info.providerId)}.`,
        () => update({ deleteProvider: [info.providerId] }, "Provider unlinked."),
        { "aria-label": `Unlink ${info.providerId}` },
      ),
    ]),
  );

const factorTable = (factors, update) =>
  table(
    "Second factors",
    [["Factor"], ["Kind"], ["Enrolled", "wide"], buttonsHead()],
    factors.map((factor) => [
      factor.displayName || factor.phoneInfo || factor.mfaEnrollmentId,
      factor.totpInfo ? "Authenticator app" : "Text message",
      time(factor.enrolledAt),
      button("Remove", () =>
        update({
          mfa: { enrollments: factors.filter((one) => one !== factor) },
        }, "Factor removed.")),
    ]),
  );

function addPhone(factors, update) {
  const phone = input({ type: "tel", required: true, placeholder: "+15555550100" });
  const name = input();
  dialog("Add a phone factor", [field("Phone", phone), field("Name", name)], "Add", () => {
    const fresh = {
      phoneInfo: phone.value.trim(),
      ...(name.value && { displayName: name.value }),
    };
    return update({ mfa: { enrollments: [...factors, fresh] } }, "Factor added.");
  });
}

function link(update) {
  const provider = select([
    ["google.com"],
    ["apple.com"],
    ["facebook.com"],
    ["github.com"],
    ["microsoft.com"],
    ["twitter.com"],
    ["yahoo.com"],
  ], "google.com");
  const rawId = input({ required: true });
  dialog(
    "Link a provider",
    [field("Provider", provider), field("Id at the provider", rawId)],
    "Link",
    () =>
      update({
        linkProviderUserInfo: { providerId: provider.value, rawId: rawId.value.trim() },
      }, "Provider linked."),
  );
}
