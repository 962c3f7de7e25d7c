// How users are called and linked to.

import { linkTo } from "../core/routes.js";

export const nameOf = (user) => user.email || user.phoneNumber || user.displayName || user.localId;

export const providersOf = (user) =>
  (user.providerUserInfo ?? []).map((info) => info.providerId)
    .join(", ") ||
  "anonymous or custom";

export const userLink = ({ localId, tenantId }) => linkTo("users", [localId], { tenant: tenantId });
