// Notifications of the browser about new codes, for those who ask for them.

const kept = "hearth.notify";

/** Whether a hidden page goes on listening, as it has something to tell. */
export const notifies = () =>
  localStorage.getItem(kept) === "on" && globalThis.Notification?.permission === "granted";

/** Turns notifications on or off; answers whether they are on. */
export async function notify(isWanted) {
  const isAllowed = isWanted && "Notification" in globalThis &&
    await Notification.requestPermission() === "granted";
  if (isAllowed) localStorage.setItem(kept, "on");
  else localStorage.removeItem(kept);
  return isAllowed;
}
