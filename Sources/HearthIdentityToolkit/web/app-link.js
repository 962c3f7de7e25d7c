// How a page of a sign-in leads back to an app for iOS.
"use strict";

// What runs, reads or embeds something, or leads back into the web, is not the scheme of an app.
const otherSchemes = [
  "about",
  "blob",
  "chrome",
  "content",
  "data",
  "file",
  "filesystem",
  "ftp",
  "http",
  "https",
  "intent",
  "javascript",
  "mailto",
  "resource",
  "sms",
  "tel",
  "vbscript",
  "view-source",
  "ws",
  "wss",
];

function isAppScheme(scheme) {
  const name = scheme.toLowerCase();
  return /^[a-z][a-z0-9.+-]*$/.test(name) && !otherSchemes.includes(name);
}

// The app's own address, with the outcome as parameters of the callback within it. Null where the
// address of this page does not name an app.
// Called by auth-handler.js.
// deno-lint-ignore no-unused-vars
function appLink(query, outcome) {
  const clientId = query.get("clientId");
  const appId = query.get("appId");
  const eventId = query.get("eventId");
  let scheme = query.get("ibi") || "";
  if (clientId) scheme = clientId.split(".").reverse().join(".");
  else if (appId) scheme = "app-" + appId.replace(/:/g, "-");
  if (!isAppScheme(scheme)) return null;
  const host = clientId || appId ? "firebaseauth" : "google";
  let callback = location.origin + "/__/auth/callback?authType=" +
    encodeURIComponent(query.get("authType") || "");
  for (const [name, value] of Object.entries(outcome)) {
    callback += "&" + name + "=" + encodeURIComponent(value);
  }
  if (eventId) callback += "&eventId=" + encodeURIComponent(eventId);
  return scheme + "://" + host + "/link?deep_link_id=" + encodeURIComponent(callback);
}
