// Which HTML and CSS mail programs show, from https://www.caniemail.com (MIT) of 29 June 2026, at the
// newest version of each program; each row has the day of its test.

export const source = { name: "caniemail.com", date: "June 2026" };

export const programs = [
  "Outlook for Windows",
  "Outlook.com",
  "Gmail",
  "Gmail for Android",
  "Yahoo Mail",
  "Apple Mail",
];

/** A property of CSS with one of some values. */
const css = (property, value = "") => ({ css: `(?:^|[;{\\s"'])${property}\\s*:[^;}]*${value}` });
const within = (text) => ({ css: text });
const element = (selector) => ({ selector });

/** Name, what it is found by, a letter for each program: yes, no, or a part; when that was tested. */
export const features = [
  ["max-width", css("max-width"), "ayyyyy", "2019-08-02"],
  ["display: flex", css("display", "flex"), "nyyayy", "2021-11-02"],
  ["display: grid", css("display", "grid"), "nyyayy", "2019-02-28"],
  ["gap", css("(?:row-|column-)?gap"), "naaany", "2022-12-28"],
  ["border-radius", css("border-radius"), "nyyyay", "2021-03-09"],
  ["box-shadow", css("box-shadow"), "nynany", "2023-12-20"],
  ["background-image", css("background(?:-image)?", "url\\("), "nyyyay", "2023-07-24"],
  ["linear-gradient()", within("linear-gradient\\("), "nnyany", "2021-12-29"],
  ["position", css("position", "(?:absolute|fixed|relative|sticky)"), "nannaa", "2021-05-16"],
  ["float", css("float"), "nyyaay", "2024-05-08"],
  ["opacity", css("opacity"), "nyyyyy", "2019-02-28"],
  ["transform", css("transform"), "nnnnny", "2019-02-28"],
  ["object-fit", css("object-fit"), "nyyany", "2021-07-15"],
  ["animation", css("animation"), "nnnnny", "2026-04-07"],
  ["var()", within("var\\(--"), "nnnnny", "2020-02-25"],
  ["calc()", within("calc\\("), "nnyany", "2020-02-25"],
  ["clamp()", within("clamp\\("), "nnyany", "2021-05-07"],
  ["rem", within("[\\d.]rem\\b"), "nyyyny", "2020-02-25"],
  ["vw", within("[\\d.]vw\\b"), "nyyyyy", "2020-02-25"],
  ["@media", within("@media"), "naaaay", "2023-12-13"],
  ["prefers-color-scheme", within("prefers-color-scheme"), "nynnny", "2023-03-08"],
  ["@font-face", within("@font-face"), "annnny", "2023-12-19"],
  ["padding", css("padding(?:-\\w+)?"), "ayyyyy", "2019-07-25"],
  ["<form>", element("form"), "nayyyy", "2019-09-10"],
  ["<button>", element("button"), "nnyyyy", "2019-09-10"],
  ["<select>", element("select"), "nyyyya", "2019-09-10"],
  ["<input>", element("input:not([type=hidden])"), "nyyyyy", "2019-09-10"],
  ["<picture>", element("picture"), "nnnnny", "2024-04-15"],
  ["<video>", element("video"), "nnnnna", "2019-09-16"],
  ["<audio>", element("audio"), "nnnnny", "2020-04-21"],
  ["<svg>", element("svg"), "nnnnny", "2020-02-06"],
  ["SVG pictures", element('img[src*=".svg"]'), "yynayy", "2023-01-15"],
  ["WebP pictures", element('img[src*=".webp"]'), "nyaayy", "2021-02-06"],
  ["main, section, nav …", element("main, section, nav, article, aside"), "naaany", "2019-07-29"],
];
