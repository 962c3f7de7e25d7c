"""Takes the place of the official command: records how it was called, answers as a hub, and exports."""

import http.server
import json
import os
import pathlib
import shutil
import signal
import sys
import threading

arguments = sys.argv[1:]


def value(flag):
    return arguments[arguments.index(flag) + 1] if flag in arguments else None


settings = json.loads(pathlib.Path(value("--config")).read_text())
imported = None
if folder := value("--import"):
    metadata = (pathlib.Path(folder) / "firebase-export-metadata.json").read_text()
    imported = json.loads(metadata)
record = pathlib.Path(os.environ["STANDIN_RECORD"])
record.write_text(
    json.dumps(
        {
            "arguments": arguments,
            "settings": settings,
            "folder": os.getcwd(),
            "environment": dict(os.environ),
            "process": os.getpid(),
            "imported": imported,
        }
    )
)
if os.environ.get("STANDIN_FAILS"):
    print("Error: something is wrong")
    sys.exit(3)

places = {
    name: {"name": name, "host": "127.0.0.1", "port": entry["port"], "listen": []}
    for name, entry in settings["emulators"].items()
    if isinstance(entry, dict) and "port" in entry
}


class Hub(http.server.BaseHTTPRequestHandler):
    def answer(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer(places)

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        export(pathlib.Path(asked["path"]), asked["targets"])
        self.answer({"message": "OK"})

    def log_message(self, *_):
        pass


hub = http.server.HTTPServer(("127.0.0.1", settings["emulators"]["hub"]["port"]), Hub)
threading.Thread(target=hub.serve_forever, daemon=True).start()


def export(place, targets):
    """What the hub does. `--export-on-exit` would ask the hub of the project, which is Hearth's."""
    if place.exists():
        shutil.rmtree(place)
    metadata = {"version": "15.28.1"}
    for name in targets:
        (place / f"{name}_export").mkdir(parents=True)
        (place / f"{name}_export/buckets.json").write_text('{"buckets":[]}')
        metadata[name] = {"version": "15.28.1", "path": f"{name}_export"}
    (place / "firebase-export-metadata.json").write_text(json.dumps(metadata))


def stop(*_):
    print("i  hub: Stopping emulator hub", flush=True)
    os._exit(0)


signal.signal(signal.SIGINT, stop)
print("\x1b[32m✔  functions: Loaded functions definitions\x1b[39m")
print("┌──────────────┐\n│ ✔  All emulators ready! │", flush=True)
while True:
    signal.pause()
