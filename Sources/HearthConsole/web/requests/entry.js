// What a request is called and said to be, short enough for a list.

const base = /^.*?\/databases\/([^/]+)\/documents\/?/;

/** The interesting end of a path: `users/u1`, `accounts:signUp`. */
export function shortPath({ resource, path = "", operation, collection: asked }) {
  // The host is what matters of a service that is not emulated.
  if (operation === "google.notPlayed") return path.replace(/^\//, "");
  const whole = resource || path;
  const match = base.exec(decode(whole));
  if (match) {
    const place = decode(whole).slice(match[0].length).replace(/\?.*$/s, "");
    const rest = asked ? [place.replace(/:\w+$/, ""), asked].filter(Boolean).join("/") : place ||
      "(root)";
    return match[1] === "(default)" ? rest : `${match[1]}: ${rest}`;
  }
  return path.replace(/^\/[\w.-]+\.googleapis\.com/, "").replace(
    /^\/(v\d|identitytoolkit\/v3\/relyingparty)\//,
    "",
  )
    .replace(/[?&]key=[^&]*/, "").replace(/^projects\/[^/]+\//, "");
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The operation without what all of its kind begin with: `get`, `list`, `signUp`. */
export const shortOperation = (operation = "") =>
  operation
    .replace("firestore.projects.databases.documents.", "").replace(
      /^firestore\.projects\.databases\./,
      "",
    )
    .replace(/^identitytoolkit\.(projects\.)?(tenants\.)?/, "").replace(/^accounts\./, "");

const callers = { owner: "Admin", apiKey: "App", anonymous: "Signed out" };

/** Who asked, in words. */
export const callerOf = ({ uid, caller = "" }) => uid ?? callers[caller] ?? caller;

export const isOwn = ({ client, operation = "" }) =>
  Boolean(client) || /^(hearth|emulator)\./.test(operation);

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** What the caller showed: as it was, or with TOKEN for what the log has hidden. */
function authorizationOf({ headers, caller }) {
  if (!headers) return caller === "owner" ? "Bearer owner" : undefined;
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === "authorization");
  return found && (found[1] === "(hidden)" ? "Bearer TOKEN" : found[1]);
}

/** The command that asks the same again. `headers` are known of entries that were read whole. */
export function curl({ method, path, body, headers, caller, uid }) {
  const words = [`curl -X ${method} ${quoted(location.origin + path)}`];
  const authorization = authorizationOf({ headers, caller });
  if (authorization) words.push(`-H ${quoted(`Authorization: ${authorization}`)}`);
  if (body) {
    const content = typeof body === "string" ? body : JSON.stringify(body);
    const kind = /^\s*[[{]/.test(content) ? "json" : "x-www-form-urlencoded";
    words.push(`-H 'Content-Type: application/${kind}'`, `-d ${quoted(content)}`);
  }
  const command = words.join(" \\\n  ");
  // A line end in a uid would end the comment, and the rest would be a command.
  const who = uid?.replace(/[\p{Cc}\u2028\u2029]/gu, " ");
  return authorization === "Bearer TOKEN"
    ? `${command}\n# TOKEN: ${who ? `an ID token of ${who}` : "the credential of the caller"}`
    : command;
}

/** Calls over gRPC and WebChannel are nothing for curl. */
export const isPlain = ({ resource, canReplay, path = "" }) =>
  canReplay ?? (!resource && path.startsWith("/"));

/** The requests as an HTTP archive, for the tools of browsers. */
export function harOf(entries) {
  return {
    log: {
      version: "1.2",
      creator: { name: "Hearth", version: "1" },
      entries: entries.map((entry) => {
        const text = (
          value,
        ) => (value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value));
        const body = text(entry.body);
        const response = text(entry.response);
        return {
          startedDateTime: entry.time,
          time: entry.milliseconds,
          request: {
            method: entry.method,
            url: location.origin + entry.path,
            httpVersion: "HTTP/1.1",
            cookies: [],
            headers: [],
            queryString: [...new URL(entry.path, location.origin).searchParams].map((
              [name, value],
            ) => ({ name, value })),
            headersSize: -1,
            bodySize: body.length,
            ...(body && { postData: { mimeType: "application/json", text: body } }),
          },
          response: {
            status: entry.status,
            statusText: entry.error ?? "",
            httpVersion: "HTTP/1.1",
            cookies: [],
            headers: [],
            content: { size: response.length, mimeType: "application/json", text: response },
            redirectURL: "",
            headersSize: -1,
            bodySize: response.length,
          },
          cache: {},
          timings: { send: 0, wait: entry.milliseconds, receive: 0 },
          comment: [entry.operation, entry.reason, entry.fault && `fault ${entry.fault}`]
            .filter(Boolean).join("; "),
        };
      }),
    },
  };
}
