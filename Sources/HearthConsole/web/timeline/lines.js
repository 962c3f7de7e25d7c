// What happened in a project as lines: which requests and mails are one, and what each says.

import { linkTo } from "../core/routes.js";
import { typeName } from "../mailbox/state.js";
import { shortOperation, shortPath } from "../requests/entry.js";

/** Operations by the end of their name: the kind of line, and its words. */
const accounts = {
  signUp: "Signed up",
  signInWithPassword: "Signed in",
  signInWithIdp: "Signed in with a provider",
  signInWithEmailLink: "Signed in by a link",
  signInWithPhoneNumber: "Signed in by a phone",
  signInWithCustomToken: "Signed in by a custom token",
  sendOobCode: "Asked for a mail",
  sendVerificationCode: "Asked for a text message",
  resetPassword: "Reset a password",
  update: "Changed a user",
  delete: "Deleted a user",
  batchCreate: "Imported users",
  batchDelete: "Deleted users",
  bulk: "Changed users",
};
const steering = {
  "clock.update": ["clock", "Moved the clock"],
  "clock.reset": ["clock", "Back to real time"],
  "faults.add": ["faults", "Added a fault"],
  "faults.replace": ["faults", "Set the faults"],
  "faults.clear": ["faults", "Removed the faults"],
  "faultPresets.apply": ["faults", "Applied a preset of faults"],
  "rules.set": ["rules", "Set the rules"],
  "rules.remove": ["rules", "Took the rules away"],
  "switches.update": ["settings", "Changed a switch"],
  "seed.apply": ["settings", "Applied a seed"],
  "webhooks.replace": ["triggers", "Set the webhooks"],
  "documents.import": ["firestore", "Imported documents"],
  "snapshots.save": ["copy", "Made a snapshot"],
  "snapshots.saveAutomatic": ["copy", "Made a snapshot"],
  "snapshots.restore": ["copy", "Went back to a snapshot"],
  "messages.release": ["mailbox", "Sent a mail on"],
};

const nameOf = (response) => (response && typeof response === "object" ? response.name : undefined);

/** The documents that a request has written, from its body. */
function written({ body = {} }) {
  const writes = Array.isArray(body?.writes) ? body.writes : [];
  const names = writes.map(({ update, delete: gone, transform }) =>
    update?.name ?? gone ?? transform?.document
  ).filter(Boolean);
  return names.map((name) => name.split("/documents/")[1] ?? name);
}

function ofDocuments(entry) {
  const paths = written(entry);
  const isDelete = /\.delete$/.test(entry.operation);
  const what = paths.length ? paths.slice(0, 3).join(", ") : shortPath(entry);
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : "";
  const [first = what] = paths;
  const isPath = /^[^:()]+\/[^:()]+$/.test(first);
  return {
    kind: "documents",
    mark: "firestore",
    words: `${isDelete ? "Deleted" : "Wrote"} ${what}${more}`,
    href: isPath && !isDelete ? linkTo("firestore", first.split("/")) : "",
  };
}

function ofSteering({ operation, body, response }) {
  const name = operation.replace(/^(hearth|emulator)\./, "");
  if (!Object.hasOwn(steering, name)) return null;
  const [mark, words] = steering[name];
  const isSnapshot = /^snapshots\.save/.test(name);
  const snapshot = isSnapshot ? nameOf(response) ?? body?.name : undefined;
  const detail = name === "clock.update" && body
    ? Object.entries(body).map(([key, value]) => `${key} ${value}`).join(", ")
    : snapshot;
  return { kind: isSnapshot ? "snapshots" : "steering", mark, words, detail, snapshot };
}

const isRead =
  /\.(get|list\w*|lookup|query|run\w*|batchGet|listen|beginTransaction|rollback|token)$/i;

/** The operation and its path, which may say the same. */
function asked(entry) {
  const [operation, path] = [shortOperation(entry.operation), shortPath(entry)];
  return path.endsWith(`:${operation}`) ? operation : `${operation} ${path}`;
}

/** What a request says; nothing for one that has only read. */
function ofRequest(entry) {
  const { operation = "", status, error, reason, rule } = entry;
  if (/^(functions|webhooks)\./.test(operation)) {
    return {
      kind: "deliveries",
      mark: "triggers",
      words: /^functions/.test(operation) ? "Called a function" : "Called a webhook",
      detail: entry.resource?.split("/documents/").at(-1),
      isBad: status >= 400,
    };
  }
  if (status >= 400) {
    const isRefused = Boolean(rule) || error === "PERMISSION_DENIED";
    return {
      kind: "failures",
      mark: isRefused ? "rules" : "requests",
      words: `${isRefused ? "Refused" : "Failed"}: ${asked(entry)}`,
      detail: (rule?.because ?? reason ?? error ?? "").replaceAll("\x60", ""),
      isBad: true,
    };
  }
  const steered = ofSteering(entry);
  if (steered) return steered;
  if (/^firestore\./.test(operation) && !isRead.test(operation)) return ofDocuments(entry);
  const words = /\.accounts$/.test(operation)
    ? "Made a user"
    : /accounts\.\w+$/.test(operation) && accounts[operation.split(".").at(-1)];
  return words ? { kind: "users", mark: "users", words } : null;
}

/** The line of a request, or nothing. */
export function requestLine(entry) {
  const line = ofRequest(entry);
  return line && {
    key: `request ${entry.id}`,
    time: entry.time,
    who: entry.uid ?? entry.body?.email ?? "",
    request: entry.id,
    ...line,
  };
}

export const messageLine = (message) => ({
  key: `message ${message.id}`,
  time: message.createdAt,
  kind: "mails",
  mark: "mailbox",
  words: typeName(message) || message.subject || "Message",
  detail: message.usedAt ? "its code was used" : "",
  who: message.to,
  href: linkTo("mailbox", [message.id]),
});

/**
 * Both lists, each oldest first and in its own order: the clock of the project may have gone back
 * between two of the same list.
 */
export function merged(requests, messages) {
  const lines = [];
  let at = 0;
  for (const one of requests) {
    while (at < messages.length && Date.parse(messages[at].time) <= Date.parse(one.time)) {
      lines.push(messages[at++]);
    }
    lines.push(one);
  }
  return [...lines, ...messages.slice(at)];
}

/** Whether a line is of a kind, and has the words. */
export function fits(line, { kind, q }) {
  if (kind && line.kind !== kind) return false;
  const { words, who, request, detail } = line;
  const text = [words, who, request, detail].join(" ").toLowerCase();
  return q.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}
