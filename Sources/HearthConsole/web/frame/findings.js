// What a project holds that has words in it: mails, users, documents, requests, lines of rules.

import { call, own } from "../core/api.js";
import { linkTo } from "../core/routes.js";
import { typeName } from "../mailbox/state.js";
import { nameOf as userName, userLink } from "../users/names.js";

const most = 5;

async function mails(project, query, signal) {
  const parameters = new URLSearchParams({ q: query, limit: most, summary: true });
  const { messages } = await call("GET", own(project, `messages?${parameters}`), { signal });
  return messages.reverse().map((message) => ({
    title: message.subject || typeName(message) || "(no subject)",
    note: message.to,
    mark: "mailbox",
    href: linkTo("mailbox", [message.id]),
  }));
}

async function users(project, query, signal) {
  const parameters = new URLSearchParams({ q: query, tenantId: "*", limit: most });
  const { userInfo = [] } = await call("GET", own(project, `accounts?${parameters}`), { signal });
  return userInfo.map((user) => ({
    title: userName(user),
    note: user.displayName && user.displayName !== userName(user) ? user.displayName : user.localId,
    mark: "users",
    href: userLink(user),
  }));
}

const documentsOf = (project) =>
  `/v1/projects/${encodeURIComponent(project)}/databases/(default)/documents`;

/** Those of a collection whose id begins so. */
async function beginning(project, parent, collection, start, signal) {
  const root = `projects/${project}/databases/(default)/documents`;
  const full = [root, ...parent, collection].join("/");
  const bound = (op, id) => ({
    fieldFilter: {
      field: { fieldPath: "__name__" },
      op,
      value: { referenceValue: `${full}/${id}` },
    },
  });
  const filters = start
    ? [bound("GREATER_THAN_OR_EQUAL", start), bound("LESS_THAN", `${start}\uf8ff`)]
    : [];
  const url = [documentsOf(project), ...parent.map(encodeURIComponent)].join("/");
  const rows = await call("POST", `${url}:runQuery`, {
    admin: true,
    signal,
    body: {
      structuredQuery: {
        from: [{ collectionId: collection }],
        select: { fields: [{ fieldPath: "__name__" }] },
        limit: most,
        ...(filters.length && { where: { compositeFilter: { op: "AND", filters } } }),
      },
    },
  });
  return rows.flatMap(({ document }) =>
    document ? [document.name.slice(root.length + 1).split("/")] : []
  );
}

/** `users/an` is documents of a collection, `us` collections of the root. */
async function documents(project, query, signal) {
  if (/\s/.test(query)) return [];
  const path = query.replace(/^\/+/, "").split("/");
  const last = path.pop();
  const paths = path.length % 2
    ? await beginning(project, path.slice(0, -1), path.at(-1), last, signal)
    : (await collections(project, path, signal)).filter((id) => id.startsWith(last))
      .map((id) => [...path, id]);
  return paths.slice(0, most).map((found) => ({
    title: found.join("/"),
    note: found.length % 2 ? "Collection" : "Document",
    mark: "firestore",
    href: linkTo("firestore", found),
  }));
}

async function collections(project, parent, signal) {
  const url = [documentsOf(project), ...parent.map(encodeURIComponent)].join("/");
  const { collectionIds = [] } = await call("POST", `${url}:listCollectionIds`, {
    admin: true,
    signal,
    body: { pageSize: 100 },
  });
  return collectionIds;
}

async function requests(project, query, signal) {
  const parameters = new URLSearchParams({ q: query, limit: most });
  const answer = await call("GET", own(project, `requests?${parameters}`), { signal });
  return (answer.requests ?? []).reverse().map(({ id, operation, status, resource, path }) => ({
    title: (operation ?? path ?? "").split(".").slice(-2).join("."),
    note: [status, resource ?? path].filter(Boolean).join(" · "),
    mark: "requests",
    href: linkTo("requests", [id]),
  }));
}

async function rules(project, query, signal) {
  if (query.length < 3) return [];
  const answer = await call("GET", own(project, "rules"), { signal });
  const source = answer.rules?.files?.[0]?.content ?? "";
  return source.split("\n").map((line, index) => [line.trim(), index + 1])
    .filter(([line]) => line.toLowerCase().includes(query.toLowerCase())).slice(0, 3)
    .map(([line, number]) => ({
      title: line,
      note: `line ${number}`,
      mark: "rules",
      href: linkTo("rules", [], { line: number }),
    }));
}

const sources = {
  Mails: mails,
  Users: users,
  Documents: documents,
  Requests: requests,
  Rules: rules,
};

/** Everything that is called so, in groups: [name, entries]. What cannot be asked is left out. */
export async function findAll(project, query, signal) {
  if (query.length < 2) return [];
  const answers = await Promise.allSettled(
    Object.values(sources).map((find) => find(project, query, signal)),
  );
  return Object.keys(sources).map((name, index) => [name, answers[index].value ?? []]);
}
