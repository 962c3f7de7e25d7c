"""What can be measured of WCAG AA on a page in Chromium."""

MEASURES = """
  const parse = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = (color) => parse(color).slice(0, 3).map((part) => part / 255)
    .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const ground = (element) => {
    for (; element; element = element.parentElement) {
      const color = getComputedStyle(element).backgroundColor;
      if ((parse(color)[3] ?? 1) > 0.9) return color;
    }
    return matchMedia("(prefers-color-scheme: dark)").matches
      ? "rgb(18, 18, 18)" : "rgb(255, 255, 255)";
  };
  const ratio = (one, other) => {
    const [a, b] = [light(one), light(other)];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  const found = [];
  const note = (element, value, least) => {
    if (value < least) found.push([element.outerHTML.slice(0, 120), value.toFixed(2)]);
  };
"""

# The contrast of every text with what is behind it.
TEXT_CONTRAST = (
    MEASURES
    + """
  for (const element of document.querySelectorAll("body *")) {
    const words = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!words || !element.checkVisibility() || element.closest(".unseen, option")) continue;
    note(element, ratio(getComputedStyle(element).color, ground(element)), 4.5);
  }
  return found;
"""
)

# The same, and that of the borders of fields.
CONTRAST = (
    MEASURES
    + """
  for (const element of document.querySelectorAll("body *")) {
    if (!element.checkVisibility() || element.closest(".unseen, option, :disabled")) continue;
    const style = getComputedStyle(element);
    if (element.matches("input, textarea, select")) {
      note(element, ratio(style.borderTopColor, ground(element.parentElement)), 3);
      note(element, ratio(style.color, ground(element)), 4.5);
    }
    const words = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (words) note(element, ratio(style.color, ground(element)), 4.5);
  }
  return found;
"""
)

# Controls without a name, ids that occur twice, references to no element, missing landmarks.
STRUCTURE = """
  const found = [];
  const all = (selector) => [...document.querySelectorAll(selector)];
  for (const element of all("input:not([type=hidden]), select, textarea, button, iframe, a")) {
    if (!element.labels?.length && !element.textContent.trim()
        && !element.getAttribute("aria-label") && !element.title) {
      found.push("no name: " + element.outerHTML);
    }
  }
  for (const image of all("img")) {
    if (!image.hasAttribute("alt")) found.push("no alt: " + image.outerHTML);
  }
  const ids = all("[id]").map((element) => element.id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) found.push("twice: " + id);
  for (const name of ["aria-describedby", "aria-labelledby"]) {
    for (const element of all(`[${name}]`)) {
      for (const id of element.getAttribute(name).split(" ")) {
        if (!document.getElementById(id)) found.push(`${name} of no element: ${id}`);
      }
    }
  }
  if (all("main").length !== 1) found.push("main");
  if (all("h1").length !== 1) found.push("h1");
  if (!document.documentElement.lang) found.push("lang");
  if (!document.title) found.push("title");
  return found;
"""

# How far the page runs off the screen.
OVERFLOW = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"


def emulate(browser, scheme: str = "light", width: int = 900, scripts: bool = True) -> None:
    """A colour scheme and a width of the screen, and whether scripts run."""
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": scheme}]},
    )
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 740, "deviceScaleFactor": 1, "mobile": False},
    )
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not scripts})


def faults(browser) -> list:
    """What is wrong with the page as it is shown now."""
    found = browser.execute_script(CONTRAST) + browser.execute_script(STRUCTURE)
    return found + (
        [f"off the screen by {off}"] if (off := browser.execute_script(OVERFLOW)) else []
    )
