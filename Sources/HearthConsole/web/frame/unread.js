// How many messages are not marked as read.

import { call, own } from "../core/api.js";
import { paced } from "../core/ui.js";

/** Tells `hear` the number of unread messages, now and after each event that may change it. */
export function watchUnread(project, signal, hear) {
  async function count() {
    try {
      const { total } = await call(
        "GET",
        own(project, "messages?q=is:unread&limit=1&summary=true"),
        { signal },
      );
      if (!signal.aborted) hear(total);
    } catch { /* the number stays */ }
  }
  const soon = paced(count, 500);
  return (event) => {
    if (/^(message|poll|sync)/.test(event)) soon();
  };
}
