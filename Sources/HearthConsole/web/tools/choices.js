// The choices of switches, in words. Switches that are on or off have none.

const sides = { emulator: "As the official emulator", production: "As production" };
const checks = { off: "Not checked", monitor: "Let through, and reported", enforce: "Refused" };

/** The words for each value of each switch. */
const choices = {
  answers: sides,
  limits: sides,
  indexes: { off: "Not checked", warn: "Answered, and reported", enforce: "Refused" },
  timeToLive: { immediate: "At once", delayed: "After a delay", never: "Never" },
  transactions: {
    emulator: "As the official emulator",
    pessimistic: "While they are read",
    optimistic: "When they are committed",
  },
  appCheckAuth: checks,
  appCheckFirestore: checks,
  appCheckReplay: checks,
  appCheckAttestation: {
    accept: "All are accepted",
    registered: "Only what is registered",
    refuse: "All are refused",
    quota: "The quota is used up",
    slow: "Answered slowly",
  },
};

/** The choices of a switch as options of a `select`; nothing for one that is typed. */
export const optionsOf = (name) =>
  Object.hasOwn(choices, name) ? Object.entries(choices[name]) : undefined;

/** What a value of a switch is called. */
export const choiceWords = (name, value) => choices[name][value] ?? value;
