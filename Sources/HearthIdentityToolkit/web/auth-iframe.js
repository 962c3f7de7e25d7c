"use strict";
const query = new URLSearchParams(location.search);
const apiKey = query.get("apiKey");
const appName = query.get("appName");
const storageKey = apiKey + ":" + appName;
const storedEvent = "firebase:redirectEvent:" + storageKey;
let send = null;

function fail(text) {
  const place = document.getElementById("error");
  place.textContent = text;
  place.hidden = false;
  console.error("Auth emulator iframe: " + text);
}

function forward(authEvent) {
  send(authEvent, (answers) => {
    const last = answers && answers[answers.length - 1];
    if (!last || last.status !== "ACK") fail("The SDK did not take the auth event.");
  });
}

window.addEventListener("message", (event) => {
  const message = event.data;
  if (!message || typeof message !== "object" || message.eventType !== "sendAuthEvent") return;
  if (!message.data || message.data.storageKey !== storageKey) return;
  if (send) forward(message.data.authEvent);
  else sessionStorage.setItem(storedEvent, JSON.stringify(message.data.authEvent));
});

// Always sends a first message, even without an event: SDKs wait for it.
function connect() {
  const filter = gapi.iframes.CROSS_ORIGIN_IFRAMES_FILTER;
  const parent = gapi.iframes.getContext().getParentIframe();
  parent.register(
    "webStorageSupport",
    () => ({ status: "ACK", webStorageSupport: true }),
    filter,
  );
  send = (authEvent, answered) =>
    parent.send(
      "authEvent",
      { type: "authEvent", authEvent: authEvent },
      answered,
      filter,
    );
  const stored = sessionStorage.getItem(storedEvent);
  sessionStorage.removeItem(storedEvent);
  forward(stored ? JSON.parse(stored) : { type: "unknown", error: { code: "auth/no-auth-event" } });
}

function load() {
  if (!apiKey || !appName) return fail("apiKey or appName is missing in the address.");
  const library = document.createElement("script");
  library.src = "https://apis.google.com/js/api.js";
  library.onerror = () => fail("https://apis.google.com/js/api.js cannot be loaded.");
  library.onload = () =>
    gapi.load("gapi.iframes", {
      callback: connect,
      timeout: 10000,
      onerror: () => fail("gapi.iframes cannot be loaded."),
      ontimeout: () => fail("gapi.iframes did not load in time."),
    });
  document.head.append(library);
}
load();
