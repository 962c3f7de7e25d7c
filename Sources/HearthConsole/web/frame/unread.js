// How many messages nobody has read here yet.

import { call, own } from "../core/api.js";
import { settled } from "../core/ui.js";

const place = (project) => `hearth.read.${project}`;
const most = 1000;

function remembered(project) {
  try { return JSON.parse(localStorage.getItem(place(project))) ?? []; } catch { return []; }
}

/** Whether the message was read; this browser remembers it where the server does not. */
export const isRead = (project, { id, read, createdAt }) =>
  read ?? remembered(project).includes(`${id} ${createdAt}`);

export function rememberRead(project, { id, createdAt }) {
  const known = remembered(project);
  const entry = `${id} ${createdAt}`;
  if (!known.includes(entry)) {
    localStorage.setItem(place(project), JSON.stringify([...known, entry].slice(-most)));
  }
  dispatchEvent(new Event("hearth.read"));
}

/** Tells `hear` the number of unread messages, now and after each event that may change it. */
export function watchUnread(project, signal, hear) {
  async function count() {
    try {
      const { messages = [] } = await call("GET", own(project, "messages?limit=100"), { signal });
      if (signal.aborted) return;
      const known = new Set(remembered(project));
      hear(messages.filter(({ id, read, createdAt }) => !(read ?? known.has(
        `${id} ${createdAt}`))).length);
    } catch { /* the number stays */ }
  }
  const soon = settled(count, 150);
  addEventListener("hearth.read", soon, { signal });
  return (event) => { if (/^(message|poll|sync)/.test(event)) soon(); };
}
