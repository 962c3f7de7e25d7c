// A project that waits for its first user, and what makes one.

import { emptyState, firstLines } from "../core/empty.js";

export function emptyUsers(project) {
  const { user, environment } = firstLines(project);
  return emptyState({
    mark: "users",
    title: "No users yet",
    words: "Sign up in your app, choose New user, or paste this:",
    waits: "Waiting for the first sign-up",
    lines: (hosts) => [user, environment].map((line) => line(hosts)),
  });
}
