// How values are shown: facts, tables, tags, times, troubles.

import { h } from "./dom.js";

/** What to show in place of something that could not be had. */
export function problem(error) {
  return error.unavailable ? h("p.notice", {}, "Not available in this version of Hearth.") : h(
    "p.notice.bad",
    {},
    h("strong", {}, plainly(sentence(error))),
    " ",
    h("small", {}, error.status ? String(error.status) : "", " ", error.statusName),
  );
}

/** The message without the code in front of it, which is said after it. */
const sentence = ({ message = "", statusName }) => (statusName && message.startsWith(
    `${statusName} : `,
  )
  ? message.slice(statusName.length + 3)
  : message);

const knownErrors = {
  EMAIL_EXISTS: "Another user has this e-mail address.",
  PHONE_NUMBER_EXISTS: "Another user has this phone number.",
  DUPLICATE_LOCAL_ID: "Another user has this uid.",
  INVALID_EMAIL: "This is not an e-mail address.",
  INVALID_PHONE_NUMBER: "This is not a phone number such as +15555550100.",
  MISSING_PASSWORD: "A password is missing.",
};

/** Google's error code, with its meaning in front where the code alone may not say it. */
export function plainly(message = "") {
  const [code] = message.split(/[ :]/);
  return Object.hasOwn(knownErrors, code) ? `${knownErrors[code]} (${message})` : message;
}

/** Fills a place with what can be had, or with why not. */
export async function fill(place, make) {
  try {
    const content = await make();
    if (content !== undefined) {
      place.replaceChildren(...[content].flat(2).filter((child) => child || child === 0));
    }
  } catch (error) {
    if (error.name !== "AbortError") place.replaceChildren(problem(error));
  }
}

/** Rows of a name and what it is; rows without a value are left out. */
export const facts = (rows) =>
  h(
    "dl",
    {},
    rows.filter((row) => row && (row[1] || row[1] === 0))
      .map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
  );

/** A row of a table; its first cell is its heading. Columns are [name, class]. */
export const tr = (columns, cells) =>
  h(
    "tr",
    {},
    cells.map((cell, index) =>
      h(
        index ? "td" : "th",
        { class: columns[index][1], scope: !index && "row" },
        typeof cell === "number" ? String(cell) : cell,
      )
    ),
  );

/** The head of a column of buttons. */
export const buttonsHead = () => [h("span.unseen", {}, "Actions")];

/**
 * A table that scrolls sideways. Columns are [name, class, order of a sorted one]; rows are lists of
 * cells, or of `tr`.
 */
export const table = (caption, columns, rows, attributes) =>
  h(
    "div.scroll",
    { key: caption, role: "region", "aria-label": caption, tabindex: 0, ...attributes },
    h(
      "table",
      { "aria-label": caption },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          columns.map(([name, kind, order]) =>
            h("th", { scope: "col", class: kind, "aria-sort": order }, name)
          ),
        ),
      ),
      h("tbody", {}, rows.map((row) => (Array.isArray(row) ? tr(columns, row) : row))),
    ),
  );

/** A mark: good, bad, warn or neither. */
export const tag = (words, kind) => h("span.tag", { "data-kind": kind }, String(words));

const languages = new Intl.DisplayNames("en", { type: "language" });

/** What a language is called; a locale without a name stays as it is. */
export function languageName(locale) {
  try {
    return languages.of(locale.replaceAll("_", "-"));
  } catch {
    return locale;
  }
}

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const hours = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const days = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

const dateOf = (value) => new Date(/^\d+$/.test(value) ? Number(value) : value);

/** A time, from milliseconds or ISO 8601; nothing from nothing. */
export function time(value, format = dates) {
  const date = dateOf(value);
  if (!value || Number.isNaN(date.getTime())) return value;
  return h(
    "time",
    { datetime: date.toISOString(), title: date.toISOString() },
    format.format(date),
  );
}

/** The hour of a time of the same day, else its date, with the hour where `isWhole`. */
export function shortTime(value, now, isWhole = false) {
  const date = dateOf(value);
  const isToday = value && date.toDateString() === new Date(now).toDateString();
  return time(value, isToday ? hours : isWhole ? dates : days);
}

/** A length of time in words. */
export function span(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 129600
    ? `${Math.round(seconds / 3600)} h`
    : `${Math.round(seconds / 86400)} days`;
}

const duration = /^(-?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** How far a clock is off, as "1 day 2 hours ahead"; nothing where it tells the time. */
export function offsetWords(offset = "PT0S") {
  const [, sign, ...parts] = duration.exec(offset) ?? [];
  const counts = parts.map((part) => Math.round(Number(part ?? 0)));
  const words = ["day", "hour", "minute", "second"]
    .map((unit, index) => counts[index] && plural(counts[index], unit)).filter(Boolean);
  if (words.length) return `${words.join(" ")} ${sign ? "behind" : "ahead"}`;
  return parts.length ? "" : offset;
}

export function bytes(count) {
  const number = Number(count);
  if (number < 1000) return `${number} B`;
  return number < 1e6 ? `${(number / 1e3).toFixed(1)} kB` : `${(number / 1e6).toFixed(1)} MB`;
}

export const plural = (count, word) => `${count} ${word}${Number(count) === 1 ? "" : "s"}`;

export const pretty = (value) => JSON.stringify(value, null, 2);

/** The JSON object that a person typed, or an error that says what is wrong with it. */
export function parseObject(source, name) {
  let value = null;
  try {
    value = JSON.parse(source);
  } catch (error) {
    throw new Error(`${name}: ${error.message}`);
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw new Error(`${name} must be a JSON object, such as {"role": "admin"}.`);
  }
  return value;
}
