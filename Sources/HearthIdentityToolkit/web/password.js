// Marks the rules as the password grows, and shows the password when asked to.
"use strict";
const field = document.getElementById("new-password");
const box = document.getElementById("show-password");
const strength = document.getElementById("strength");
const rules = [...document.querySelectorAll("[data-rule]")];
const tests = {
  atLeast: (text, value) => text.length >= Number(value),
  atMost: (text, value) => text.length <= Number(value),
  lowercase: (text) => /\p{Lowercase}/u.test(text),
  uppercase: (text) => /\p{Uppercase}/u.test(text),
  digit: (text) => /[0-9]/.test(text),
  symbol: (text, value) => [...text].some((character) => value.includes(character)),
};
// What is said of the last attempt.
const problem = document.getElementById("problem");
let pause = 0;

// Heard by those who do not see the list: after a pause, not at each key.
function tell(missing) {
  const words = missing.map((rule) => rule.textContent)
    .map((text) => text[0].toLowerCase() + text.slice(1));
  strength.textContent = words.length
    ? strength.dataset.missing.replace("{rules}", () => words.join(strength.dataset.separator))
    : strength.dataset.met;
}

field.addEventListener("input", () => {
  for (const rule of rules) {
    const isMet = tests[rule.dataset.rule](field.value, rule.dataset.value);
    rule.dataset.is = isMet ? "met" : "open";
  }
  const missing = rules.filter((rule) => rule.dataset.is !== "met");
  if (problem) {
    problem.hidden = missing.length === 0;
    field.setAttribute("aria-invalid", String(!problem.hidden));
  }
  clearTimeout(pause);
  pause = setTimeout(() => tell(missing), 800);
});

box.parentElement.hidden = false;
box.addEventListener("change", () => {
  field.type = box.checked ? "text" : "password";
});
// What is shown is not kept by the browser as an ordinary text.
field.form.addEventListener("submit", () => {
  field.type = "password";
});
