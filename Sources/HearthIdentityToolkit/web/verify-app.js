// Goes back to the app with a token, as reCAPTCHA does for those whom it trusts. Where the browser
// asks for a click, there is a link.
"use strict";

function start() {
  const query = new URLSearchParams(location.search);
  const link = document.getElementById("return-to-app");
  const target = appLink(query, { recaptchaToken: link.dataset.token });
  if (!target) {
    const error = document.getElementById("error");
    error.textContent = "ibi, clientId or appId does not make the scheme of an app for iOS.";
    error.hidden = false;
    error.focus();
    return;
  }
  link.href = target;
  link.hidden = false;
  location.replace(target);
}
start();
