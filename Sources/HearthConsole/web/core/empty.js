// A view that has nothing to show yet: what would be here, what it waits for, and lines to paste.

import { call } from "./api.js";
import { h, hint, icon } from "./dom.js";
import { snippets } from "./forms.js";

/** The host and port of a service of this server; this page's own for an older server. */
async function hostsOf() {
  const { addresses = {} } = await call("GET", "/emulator/v1/overview").catch(() => ({}));
  const plain = (address) => String(address ?? "").replace(/^\w+:\/\//, "").replace(/\/$/, "");
  return {
    auth: plain(addresses.auth) || location.host,
    firestore: plain(addresses.firestore) || location.host,
    smtp: plain(addresses.smtp),
  };
}

/**
 * `lines` makes the lines of the server's hosts: [name, text]. The state goes away when the view is
 * drawn again with what has come.
 */
export function emptyState({ mark, title, words, waits, lines }) {
  const place = h("div.snippets");
  if (lines) {
    hostsOf().then((hosts) =>
      place.append(snippets(`Lines for: ${title}`, lines(hosts).filter(Boolean)))
    );
  }
  return h(
    "div.empty",
    {},
    icon(mark),
    h("h2", {}, title),
    hint(words),
    waits && h("p.waits", {}, waits),
    place,
  );
}

/** Lines of a shell that make the first thing of each kind in a project. */
export const firstLines = (project) => ({
  user: ({ auth }) => [
    "curl",
    `curl 'http://${auth}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=${project}' \\
  --json '{"email": "ann@example.com", "password": "secret12", "returnSecureToken": true}'`,
  ],
  mail: ({ auth }) => [
    "Auth",
    `curl 'http://${auth}/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=${project}' \\
  --json '{"requestType": "EMAIL_SIGNIN", "email": "ann@example.com"}'`,
  ],
  smtp: ({ smtp }) =>
    smtp && [
      "SMTP",
      `printf 'Subject: Hello\\n\\nYour code is 482913.\\n' | curl 'smtp://${smtp}' \\
  --user ${project}:x --mail-from shop@example.com --mail-rcpt ann@example.com -T -`,
    ],
  wait: () => [
    "Wait in a test",
    `hearth mail --project ${project} --to ann@example.com --wait 30s --code`,
  ],
  document: ({ firestore }) => [
    "curl",
    `curl -X PATCH -H 'Authorization: Bearer owner' \\
  'http://${firestore}/v1/projects/${project}/databases/(default)/documents/users/ann' \\
  --json '{"fields": {"name": {"stringValue": "Ann"}}}'`,
  ],
  environment: ({ auth, firestore }) => [
    "Environment",
    `export FIREBASE_AUTH_EMULATOR_HOST=${auth}
export FIRESTORE_EMULATOR_HOST=${firestore}
export GCLOUD_PROJECT=${project}`,
  ],
});
