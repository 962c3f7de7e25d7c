// A log that waits for the first request, and what points an app at this server.

import { emptyState, firstLines } from "../core/empty.js";

export function emptyLog(project) {
  const { environment, user } = firstLines(project);
  return emptyState({
    mark: "requests",
    title: "No requests yet",
    words: "Each call of your app is listed here, with its answer and the rule that refused it.",
    waits: "Waiting for the first request",
    lines: (hosts) => [environment, user].map((line) => line(hosts)),
  });
}
