"""Takes the pictures of the README and the guides, of a project that it fills.

HEARTH_BINARY=hearth .venv/bin/python Tests/Clients/console/pictures.py [name …]
"""

import base64
import pathlib
import struct
import sys
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import requests  # noqa: E402
from selenium import webdriver  # noqa: E402
from support.browser import until  # noqa: E402
from support.console import Console  # noqa: E402
from support.server import Server  # noqa: E402

PLACE = pathlib.Path(__file__).resolve().parents[3] / "Sources/hearth/Hearth.docc/Resources"
PROJECT = "demo-shop"
RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    // Everybody sees the products.
    match /products/{id} {
      allow read: if true;
    }
    match /users/{uid} {
      allow read, write: if request.auth.uid == uid;
      match /orders/{order} {
        allow read: if request.auth.uid == uid;
        allow create: if request.auth.uid == uid
          && request.resource.data.total > 0;
      }
    }
  }
}
"""


def put(console: Console, path: str, fields: dict) -> None:
    console.call(
        "PATCH", f"/v1/projects/{PROJECT}/databases/(default)/documents/{path}", {"fields": fields}
    )


def text(value: str) -> dict:
    return {"stringValue": value}


def number(value: int) -> dict:
    return {"integerValue": str(value)}


def fill(console: Console) -> None:
    """What a small shop has after a few minutes of work."""
    for name in ("ann", "bob", "carla"):
        console.admin(
            "", {"localId": name, "email": f"{name}@example.com", "password": "old secret"}
        )
        put(console, f"users/{name}", {"name": text(name.title()), "orders": number(len(name))})
    for name, price in (("apron", 24), ("bowl", 18), ("cup", 9), ("dish", 14), ("fork", 4)):
        put(
            console,
            f"products/{name}",
            {
                "name": text(name.title()),
                "price": number(price),
                "inStock": {"booleanValue": price > 5},
                "size": {"mapValue": {"fields": {"width": number(price), "unit": text("cm")}}},
                "seller": {
                    "referenceValue": f"projects/{PROJECT}/databases/(default)/documents/users/ann"
                },
            },
        )
    console.own(
        "PUT", "rules", {"rules": {"files": [{"name": "firestore.rules", "content": RULES}]}}
    )
    documents = f"{console.origin}/v1/projects/{PROJECT}/databases/(default)/documents"
    for path in ("products/cup", "products/bowl", "users/ann"):
        requests.get(f"{documents}/{path}", timeout=30)
    console.own("POST", "snapshots", {"name": "seeded"})
    console.client("sendVerificationCode", {"phoneNumber": "+15555550100"})
    console.client("sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": "carla@example.com"})
    console.client("sendOobCode", {"requestType": "VERIFY_EMAIL", "idToken": signed_in(console)})
    console.client("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "ann@example.com"})


def signed_in(console: Console) -> str:
    body = {"email": "bob@example.com", "password": "old secret", "returnSecureToken": True}
    return console.client("signInWithPassword", body)["idToken"]


def views(console: Console) -> dict:
    """The pictures by name: the view, and what is there when it is complete."""
    message = console.own("GET", "messages")["messages"][-1]["id"]
    return {
        "console-mailbox": (f"mailbox/{message}", ".detail iframe"),
        "console-firestore": ("firestore/products/bowl", ".editor .row .row"),
        "console-table": ("firestore/products?view=table&sort=price", "tbody tr:nth-child(5)"),
        "console-rules": ("rules", ".gutter [data-kind=good]"),
        "console-timeline": ("timeline", ".timeline li:nth-child(9)"),
    }


def chromium() -> webdriver.Chrome:
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    service = webdriver.ChromeService("/usr/bin/chromedriver")
    return webdriver.Chrome(options=options, service=service)


# The colours of a picture that are there most often, and the nearest of them for each point.
REDUCE = """
  const [data, most, done] = arguments;
  const picture = new Image();
  picture.onload = () => {
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext("2d");
    context.drawImage(picture, 0, 0);
    const { data: points } = context.getImageData(0, 0, picture.width, picture.height);
    const counts = new Map();
    const colourAt = (at) => (points[at] << 16) | (points[at + 1] << 8) | points[at + 2];
    for (let at = 0; at < points.length; at += 4) {
      counts.set(colourAt(at), (counts.get(colourAt(at)) ?? 0) + 1);
    }
    const palette = [...counts].sort((one, other) => other[1] - one[1]).slice(0, most)
      .map(([colour]) => colour);
    const parts = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];
    const nearest = new Map(palette.map((colour, index) => [colour, index]));
    const find = (colour) => {
      if (!nearest.has(colour)) {
        const [red, green, blue] = parts(colour);
        const distances = palette.map((other) => {
          const [r, g, b] = parts(other);
          return (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
        });
        nearest.set(colour, distances.indexOf(Math.min(...distances)));
      }
      return nearest.get(colour);
    };
    let rows = "";
    for (let at = 0; at < points.length; at += 4) rows += String.fromCharCode(find(colourAt(at)));
    done([picture.width, picture.height, palette.flatMap(parts), btoa(rows)]);
  };
  picture.src = "data:image/png;base64," + data;"""
COLOURS = 128


def reduced(browser: webdriver.Chrome, data: str) -> bytes:
    """A PNG file with few colours of one with many."""
    width, height, palette, points = browser.execute_async_script(REDUCE, data, COLOURS)
    rows = base64.b64decode(points)
    lines = b"".join(b"\0" + rows[at : at + width] for at in range(0, len(rows), width))

    def chunk(kind: bytes, content: bytes) -> bytes:
        total = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", total)

    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"PLTE", bytes(palette))
        + chunk(b"IDAT", zlib.compress(lines, 9))
        + chunk(b"IEND", b"")
    )


def take(console: Console, name: str, view: str, complete: str) -> None:
    console.open(view)
    until(console.browser, lambda: console.all(complete))
    save(console, name)


def save(console: Console, name: str) -> None:
    console.run("document.activeElement.blur()")
    until(console.browser, lambda: console.run("return document.fonts.status === 'loaded'"))
    shot = console.browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
    file = PLACE / f"{name}.png"
    file.write_bytes(reduced(console.browser, shot["data"]))
    print(f"{file.name:24} {file.stat().st_size // 1000} kB")


def take_tour(console: Console) -> None:
    """The pictures of README's tour: Ann has forgotten her password."""
    ann = {"email": "ann@example.com", "returnSecureToken": True}
    message = console.own("GET", "messages")["messages"][-1]
    take(console, "tour-mailbox", f"mailbox/{message['id']}", ".detail iframe")
    console.browser.get(message["link"])
    until(console.browser, lambda: console.all("input[type=password]"))
    save(console, "tour-form")
    reset = {"oobCode": message["code"], "newPassword": "new secret"}
    console.client("resetPassword", reset)
    url = f"{console.origin}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any"
    for password in ("old secret", "new secret"):
        requests.post(url, json={**ann, "password": password}, timeout=30)
    take(console, "tour-requests", "requests", "tbody tr:nth-child(2)")


def main() -> None:
    server = Server("--project", PROJECT)
    browser = chromium()
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": False},
    )
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": "light"}]},
    )
    console = Console(browser, server.addresses["console"] + "/console/")
    console.project = PROJECT
    fill(console)
    console.open("overview")
    console.run("localStorage.setItem('hearth.tour', 'done')")
    for name, (view, complete) in views(console).items():
        if not sys.argv[1:] or name in sys.argv[1:]:
            take(console, name, view, complete)
    if not sys.argv[1:] or "tour" in sys.argv[1:]:
        take_tour(console)
    browser.quit()
    server.stop()


if __name__ == "__main__":
    main()
