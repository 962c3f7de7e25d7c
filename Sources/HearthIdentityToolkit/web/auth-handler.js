// Reads the page's own query, and hands the chosen account to the page that opened the page.
"use strict";
// Where a provider's own page is gone to, this page is visited twice; what it was first asked for
// is remembered meanwhile.
const step = document.getElementById("step")?.dataset;
const memoryKey = "hearth:providerVisit";
const visit = step?.providerStep === "return"
  ? JSON.parse(sessionStorage.getItem(memoryKey) || "null")
  : null;
const query = new URLSearchParams(visit ? visit.search : location.search);
const apiKey = query.get("apiKey");
const appName = query.get("appName");
const clientId = query.get("clientId");
const appId = query.get("appId");
const androidPackage = query.get("apn");
const iosBundle = query.get("ibi");
const providerId = query.get("providerId");
const authType = query.get("authType") || "";
const eventId = query.get("eventId");
const storageKey = apiKey + ":" + appName;
const element = (id) => document.getElementById(id);

function show(id, text) {
  element(id).textContent = text;
  element(id).hidden = false;
}

function fail(text) {
  show("error", text);
  element("error").focus();
  for (const id of ["accounts-list", "add-user"]) {
    if (element(id)) element(id).hidden = true;
  }
}

function randomDigits(count) {
  const numbers = crypto.getRandomValues(new Uint32Array(count));
  return Array.from(numbers, (number) => number % 10).join("");
}

function pick(choices) {
  return choices[crypto.getRandomValues(new Uint32Array(1))[0] % choices.length];
}

// The answer of the provider: this page's address with the claims in its query.
function response(claims) {
  const encoded = encodeURIComponent(JSON.stringify(claims));
  let url = location.origin + location.pathname +
    "?providerId=" + encodeURIComponent(providerId) + "&id_token=" + encoded;
  if (providerId.startsWith("saml.")) {
    const assertion = { assertion: { subject: { nameId: claims.email } } };
    url += "&SAMLResponse=" + encodeURIComponent(JSON.stringify(assertion));
  }
  return url;
}

function finish(claims) {
  deliver(response(claims), "ValueNotUsedByAuthEmulator", "", null);
}

function deliver(urlResponse, sessionId, postBody, error) {
  const authEvent = {
    type: authType,
    eventId: eventId,
    urlResponse: urlResponse,
    sessionId: sessionId,
    postBody: postBody,
    tenantId: query.get("tid"),
    error: error,
  };
  if (authType.toLowerCase().includes("popup")) deliverToOpener(authEvent);
  else if (androidPackage) deliverToAndroid(urlResponse);
  else if (iosBundle) deliverToIOS(urlResponse);
  else if (query.get("redirectUrl")) deliverByRedirect(authEvent);
  else if (query.get("continueUri")) deliverToContinueUri(urlResponse);
  else fail("This way of signing in is not implemented.");
}

function deliverToOpener(authEvent) {
  const frames = window.opener ? window.opener.frames : [];
  const message = {
    eventType: "sendAuthEvent",
    eventId: randomDigits(20),
    data: { authEvent: authEvent, storageKey: storageKey },
  };
  let isDelivered = false;
  for (let index = 0; index < frames.length; index++) {
    let found;
    try {
      found = new URLSearchParams(frames[index].location.search);
    } catch {
      continue; // A frame of another origin.
    }
    if (found.get("apiKey") === apiKey && found.get("appName") === appName) {
      frames[index].postMessage(message, "*");
      isDelivered = true;
    }
  }
  if (!isDelivered) fail(element("error").dataset.openerGone);
}

function deliverToAndroid(urlResponse) {
  if (!/^[a-z]\w*(\.\w+)*$/i.test(androidPackage)) {
    return fail("apn is not the name of an Android package.");
  }
  const fallback = location.href.split("#")[0] + "&error=App+not+found+for+intent";
  location.replace(
    "intent://firebase.auth/#Intent;scheme=genericidp;package=" + androidPackage +
      ";S.authType=" + encodeURIComponent(authType) + ";" +
      (eventId ? "S.eventId=" + encodeURIComponent(eventId) + ";" : "") +
      "S.link=" + encodeURIComponent(urlResponse) +
      ";B.encryptionEnabled=false;S.browser_fallback_url=" + encodeURIComponent(fallback) +
      ";end;",
  );
}

function deliverToIOS(urlResponse) {
  const target = appLink(query, { link: urlResponse });
  if (!target) return fail("ibi, clientId or appId does not make the scheme of an app.");
  location.replace(target);
}

// Only the web may be gone to: `javascript:` would run here.
function webAddress(text) {
  try {
    const url = new URL(text, location.href);
    return url.protocol === "http:" || url.protocol === "https:" ? url : null;
  } catch {
    return null;
  }
}

function deliverByRedirect(authEvent) {
  const target = webAddress(query.get("redirectUrl"));
  if (!target) return fail("redirectUrl is not a web address.");
  sessionStorage.setItem("firebase:redirectEvent:" + storageKey, JSON.stringify(authEvent));
  location.href = target.href;
}

// As a provider answers who asked with createAuthUri: the whole address goes to signInWithIdp.
function deliverToContinueUri(urlResponse) {
  const target = webAddress(query.get("continueUri"));
  if (!target) return fail("continueUri is not a web address.");
  const answer = new URL(urlResponse);
  for (const [name, value] of answer.searchParams) target.searchParams.set(name, value);
  if (query.get("state")) target.searchParams.set("state", query.get("state"));
  location.href = target.href;
}

function checkEmail() {
  const email = element("email-input").value.trim();
  const isGood = email.includes("@");
  element("sign-in").disabled = !isGood;
  const { invalid, missing } = element("email-error").dataset;
  element("email-error").textContent = isGood ? "" : email ? invalid : missing;
  return isGood;
}

function generate() {
  const first = pick(["ada", "alan", "barbara", "edsger", "grace", "ken", "katherine"]);
  const last = pick(["otter", "heron", "badger", "lynx", "raven", "marten", "hare"]);
  const capital = (word) => word[0].toUpperCase() + word.slice(1);
  element("email-input").value = first + "." + last + "." + randomDigits(3) + "@example.com";
  element("display-name-input").value = capital(first) + " " + capital(last);
  element("screen-name-input").value = first + "_" + last;
  checkEmail();
}

function newAccount() {
  const claims = {
    sub: randomDigits(40),
    iss: "",
    aud: "",
    exp: 0,
    iat: 0,
    name: element("display-name-input").value || undefined,
    screen_name: element("screen-name-input").value || undefined,
    email: element("email-input").value.trim(),
    email_verified: true,
    picture: element("profile-photo-input").value || undefined,
  };
  finish(claims);
}

function swap(toForm) {
  element("accounts-list").hidden = toForm;
  element("add-user").hidden = !toForm;
  if (toForm) element("email-input").focus();
  else document.querySelector(".js-new-account").focus();
}

// Tests of browsers wait for this name before they press anything.
// deno-lint-ignore no-unused-vars
function toggleForm() {
  swap(element("add-user").hidden);
}

function start() {
  if (query.get("error")) return fail(query.get("error"));
  if (
    !appName && !clientId && !appId && !androidPackage && !iosBundle &&
    !query.get("continueUri")
  ) {
    return fail(
      "Internal error: none of appName, clientId, appId, apn and ibi is in the address.",
    );
  }
  if (
    (providerId === "facebook.com" && (androidPackage || iosBundle)) ||
    (providerId === "apple.com" && iosBundle)
  ) {
    show(
      "warning",
      "This way of signing in with " + providerId +
        " works with the emulator only. In production use the provider's own SDK.",
    );
  }
  const name = providerId[0].toUpperCase() + providerId.slice(1);
  for (const place of document.querySelectorAll(".js-provider-id")) place.textContent = name;
  for (const item of document.querySelectorAll(".js-reuse-account")) {
    item.addEventListener(
      "click",
      () => finish(JSON.parse(decodeURIComponent(item.getAttribute("data-id-token")))),
    );
  }
  for (const button of document.querySelectorAll(".js-new-account")) {
    button.addEventListener("click", () => swap(true));
  }
  element("back-button").addEventListener("click", () => swap(false));
  element("autogen-button").addEventListener("click", generate);
  element("email-input").addEventListener("input", checkEmail);
  element("main-form").addEventListener("submit", (event) => {
    event.preventDefault();
    if (checkEmail()) newAccount();
  });
}
// To the provider's page.
function goToProvider() {
  sessionStorage.setItem(
    memoryKey,
    JSON.stringify({ search: location.search, sessionId: step.session }),
  );
  location.replace(step.address);
}

// Back from it, with its answer in the address or in what it has posted.
function returnFromProvider() {
  if (!visit) {
    return fail(
      "Unable to process request due to missing initial state. This may happen if browser " +
        "sessionStorage is inaccessible or accidentally cleared.",
    );
  }
  sessionStorage.removeItem(memoryKey);
  const answers = [location.search, location.hash, step.posted].map((text) =>
    new URLSearchParams(text.replace(/^[?#]/, ""))
  );
  // X names the token that somebody has denied.
  const refusal = answers.map((answer) => answer.get("error") || (answer.has("denied") && "denied"))
    .find((error) => error);
  const error = refusal
    ? {
      code: /denied|cancel/.test(refusal) ? "auth/user-cancelled" : "auth/internal-error",
      message: refusal,
    }
    : null;
  deliver(location.href, visit.sessionId, step.posted, error);
}

if (!step) start();
else if (step.providerStep === "go") goToProvider();
else returnFromProvider();
document.documentElement.dataset.ready = "true";
