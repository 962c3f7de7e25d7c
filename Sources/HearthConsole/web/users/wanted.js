// Which accounts a list is of: as an address says it, as a query, as a filter and in words.

import { providerOptions } from "./names.js";

export const sizes = [50, 100, 250, 500];

/** The filters: their labels, and what can be chosen. */
export const choices = {
  provider: ["Provider", [
    ["", "Any"],
    ...providerOptions([
      "password",
      "phone",
      "google.com",
      "apple.com",
      "facebook.com",
      "github.com",
      "microsoft.com",
      "anonymous",
      "custom",
    ]),
  ]],
  disabled: ["State", [["", "Any"], ["false", "enabled"], ["true", "disabled"]]],
  verified: ["E-mail", [["", "Any"], ["true", "verified"], ["false", "not verified"]]],
  factor: ["Second factor", [
    ["", "Any"],
    ["any", "some"],
    ["none", "none"],
    ["phone", "text message"],
    ["totp", "authenticator app"],
  ]],
};

/** What an address asks for. */
export const wantedFrom = (params) => ({
  q: params.get("q") ?? "",
  ...Object.fromEntries(Object.keys(choices).map((name) => [name, params.get(name) ?? ""])),
  tenant: params.get("tenant") ?? "",
  sort: params.get("sort") ?? "",
  order: params.get("order") ?? "",
  page: Math.max(1, Math.trunc(Number(params.get("page"))) || 1),
  size: sizes.find((size) => String(size) === params.get("size")) ?? sizes[0],
});

/** The parameters of its address. */
export const addressOf = ({ page, size, ...rest }) => ({
  ...rest,
  page: page > 1 ? page : "",
  size: size === sizes[0] ? "" : size,
});

/** A phone number is stored without the marks that people write it with. */
function sought(text) {
  const phone = text.replace(/[\s()-]/g, "");
  return /^\+?\d+$/.test(phone) ? phone : text;
}

const given = (pairs) => pairs.filter(([, value]) => value !== "");

/** The query for a page of the list. */
export const queryOf = ({ q, tenant, sort, order, page, size, ...filters }) =>
  new URLSearchParams([
    ["q", sought(q)],
    ["limit", size],
    ["offset", (page - 1) * size],
    ...given([...Object.entries(filters), ["tenantId", tenant], ["sort", sort], ["order", order]]),
  ]);

/** The same accounts, for a call that changes all of them. */
export function filterOf({ q, provider, disabled, verified, factor }) {
  const filter = {
    ...(q && { q: sought(q) }),
    ...(provider && { provider }),
    ...(factor && { factor }),
    ...(disabled && { disabled: disabled === "true" }),
    ...(verified && { verified: verified === "true" }),
  };
  return Object.keys(filter).length ? { filter } : { all: true };
}

export const isFiltered = (wanted) => !("all" in filterOf(wanted));

/** Which accounts they are, in words. */
export function scopeOf(wanted, project, tenants) {
  const tenant = tenants.find(({ id }) => id === wanted.tenant);
  const place = wanted.tenant
    ? `tenant ${tenant?.displayName || wanted.tenant}`
    : tenants.length
    ? `${project}, outside of the tenants`
    : project;
  const conditions = Object.entries(choices).filter(([name]) => wanted[name]).map((
    [name, [label, options]],
  ) => {
    const [value, words] = options.find(([one]) => one === wanted[name]) ?? [wanted[name]];
    return `${label.toLowerCase()} ${words ?? value}`;
  });
  return [`all of ${place}`, wanted.q && `with “${wanted.q}”`, ...conditions]
    .filter(Boolean).join(", ");
}
