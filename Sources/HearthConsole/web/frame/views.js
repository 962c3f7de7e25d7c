// The views in the order of the navigation: title, module, the key after `g`, and whether a group
// begins with it.

/** @type {Record<string, [string, string, string, boolean?]>} */
export const views = {
  overview: ["Overview", "overview/overview.js", "o"],
  mailbox: ["Mailbox", "mailbox/mailbox.js", "m"],
  users: ["Users", "users/users.js", "u"],
  firestore: ["Firestore", "firestore/firestore.js", "f"],
  rules: ["Rules", "rules/rules.js", "l"],
  indexes: ["Indexes", "indexes/indexes.js", "i"],
  timeline: ["Timeline", "timeline/timeline.js", "t", true],
  requests: ["Requests", "requests/requests.js", "r"],
  triggers: ["Triggers", "triggers/triggers.js", "w"],
  faults: ["Faults", "tools/faults.js", "x"],
  clock: ["Clock", "tools/clock.js", "c"],
  appcheck: ["App Check", "tools/appcheck.js", "p"],
  keys: ["Keys", "tools/keys.js", "k", true],
  settings: ["Settings", "tools/settings.js", "s"],
};
