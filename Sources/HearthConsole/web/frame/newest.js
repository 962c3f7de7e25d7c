// The newest code of a project: copied with one key from any page, and told by the browser.

import { call, now, own, readClock } from "../core/api.js";
import { notifies } from "../core/notify.js";
import { linkTo } from "../core/routes.js";
import { copy, fail, say } from "../core/ui.js";
import { codeOf, nameOf, state } from "../mailbox/state.js";

/** The newest messages with a code, newest first. */
export async function newestCodes(project, signal) {
  const { messages } = await call("GET", own(project, "messages?limit=30&summary=true"), {
    signal,
  });
  return messages.reverse().filter(codeOf);
}

/** Copies the newest code that can still be used, else the newest one. */
export async function copyNewest(project) {
  // What moved the clock a moment ago may not have reached the page.
  const [found] = await Promise.all([newestCodes(project), readClock(project)]);
  const message = found.find((one) => !one.usedAt && state(one, now())[1] !== "bad") ?? found[0];
  if (!message) return fail(new Error("No message has a code yet."));
  const code = codeOf(message);
  await copy(code);
  return say(`Copied ${code.length > 12 ? "the code" : code} for ${message.to}.`);
}

/** Tells of the code of a message that has just come, where the page is not seen. */
export async function tellOf(project, id) {
  if (!notifies() || !document.hidden) return;
  const message = await call(
    "GET",
    own(project, `messages/${encodeURIComponent(id)}`),
  ).catch(() => null);
  const code = message && codeOf(message);
  if (!code) return;
  const note = new Notification(code.length > 12 ? nameOf(message) : code, {
    body: `${nameOf(message)}\n${message.to}`,
    tag: `hearth-${id}`,
  });
  note.onclick = () => {
    globalThis.focus();
    location.hash = linkTo("mailbox", [id]);
    copy(code).catch(() => {});
    note.close();
  };
}
