// How users are called and linked to.

import { linkTo } from "../core/routes.js";

export const nameOf = (user) => user.email || user.phoneNumber || user.displayName || user.localId;

const providers = {
  password: "Password",
  phone: "Phone",
  anonymous: "Anonymous",
  custom: "Custom token",
  "google.com": "Google",
  "apple.com": "Apple",
  "facebook.com": "Facebook",
  "github.com": "GitHub",
  "microsoft.com": "Microsoft",
  "twitter.com": "Twitter",
  "yahoo.com": "Yahoo",
  "linkedin.com": "LinkedIn",
  "playgames.google.com": "Play Games",
};

/** What people call a provider; those of an app have the name that it gave them. */
export const providerName = (id) => Object.hasOwn(providers, id) ? providers[id] : id;

/** Providers as the options of a choice. */
export const providerOptions = (ids) => ids.map((id) => [id, providerName(id)]);

export const providersOf = (user) =>
  (user.providerUserInfo ?? []).map((info) => providerName(info.providerId)).join(", ") ||
  "Anonymous, or custom token";

export const userLink = ({ localId, tenantId }) => linkTo("users", [localId], { tenant: tenantId });
