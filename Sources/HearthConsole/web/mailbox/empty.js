// A mailbox that waits for its first message, and what sends one.

import { emptyState, firstLines } from "../core/empty.js";

/** Goes away by itself when the first message comes. */
export function emptyMailbox(project) {
  const { mail, smtp, wait } = firstLines(project);
  return emptyState({
    mark: "mailbox",
    title: "No mail yet",
    words:
      "Request a password reset in your app, and its mail appears here. No mail leaves this machine.",
    waits: "Waiting for the first message",
    lines: (hosts) => [mail, smtp, wait].map((line) => line(hosts)),
  });
}
