// Talks to the server this page came from: JSON calls and the server's clock.

/** A refusal in Google's envelope, or a call that never arrived. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {{ message?: string, status?: string }} [error]
   */
  constructor(status, { message, status: name } = {}) {
    super(message || `HTTP ${status}`);
    this.status = status;
    this.statusName = name ?? "";
    /** Whether the server lacks this endpoint, and not just the requested resource. */
    this.unavailable = status === 501 || status === 405 ||
      (status === 404 && /^(not found\.?|http 404)$/i.test(this.message));
  }
}

/** Whether the server answers at all. */
export const answers = () =>
  fetch("/emulator/v1/projects", { method: "HEAD", cache: "no-store" })
    .then(() => true, () => false);

/**
 * Calls an endpoint and answers its text; `body` becomes JSON, `raw` is sent as it is.
 * @param {string} method
 * @param {string} path
 * @param {{
 *   body?: object, raw?: BodyInit, type?: string, signal?: AbortSignal, admin?: boolean
 * }} [content]
 */
export async function text(method, path, { body, raw, type, signal, admin } = {}) {
  // The server keeps the console's own calls apart from those of apps.
  const headers = { "X-Hearth-Client": "console" };
  if (body || raw !== undefined) headers["Content-Type"] = type ?? "application/json";
  if (admin) headers.Authorization = "Bearer owner";
  let reply;
  try {
    reply = await fetch(path, {
      method,
      headers,
      signal,
      cache: "no-store",
      // A page that is left may still send it.
      keepalive: method === "DELETE",
      body: raw ?? (body && JSON.stringify(body)),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, {
      message: await answers()
        ? "The connection was closed before the answer was complete. Hearth is running."
        : "The server does not answer. Is Hearth running?",
    });
  }
  if (reply.ok) return reply.text();
  const { error } = await reply.json().catch(() => ({}));
  throw new ApiError(reply.status, typeof error === "string" ? { message: error } : error);
}

/**
 * Calls an endpoint and answers its JSON.
 * @param {Parameters<typeof text>} request
 */
export const call = async (...request) => JSON.parse(await text(...request) || "{}");

/** The path of one of Hearth's own endpoints. */
export const own = (project, rest) =>
  `/emulator/v1/projects/${encodeURIComponent(project)}/${rest}`;

const toolkit = (project, tenant) =>
  `/identitytoolkit.googleapis.com/v1/projects/${encodeURIComponent(project)}${
    tenant ? `/tenants/${encodeURIComponent(tenant)}` : ""
  }`;

/** An administrator's call to the accounts of a project or of one of its tenants. */
export const accounts = (project, verb, body, signal, tenant) =>
  call("POST", `${toolkit(project, tenant)}/accounts${verb}`, { body, signal, admin: true });

/** An administrator's call to the configuration of a project. */
export const config = (project, method, rest, body, signal) =>
  call(
    method,
    `/identitytoolkit.googleapis.com/v2/projects/${encodeURIComponent(project)}/${rest}`,
    { body, signal, admin: true },
  );

/** The tenants of a project; none where the server has none to tell. */
export const tenantsOf = async (project, signal) => {
  const { tenants = [] } = await config(project, "GET", "tenants?pageSize=1000", undefined, signal)
    .catch(() => ({}));
  return tenants.map((tenant) => ({
    ...tenant,
    id: tenant.tenantId ?? tenant.name.split("/").at(-1),
  }));
};

// How far the server's clock is ahead of this machine's, and whether it is frozen.
let ahead = 0;
let frozen = null;

/** The server's time in milliseconds. */
export const now = () => frozen ?? Date.now() + ahead;

/** Notes the clock of an answer that was asked for at `asked`. */
export function noteClock(state, asked = Date.now()) {
  const time = Date.parse(state.now);
  // The server read its clock about in the middle.
  ahead = time - (asked + Date.now()) / 2;
  frozen = state.frozen ? time : null;
  return state;
}

export async function readClock(project, signal) {
  const asked = Date.now();
  return noteClock(await call("GET", own(project, "clock"), { signal }), asked);
}
