"""A registry of npm on loopback that has the packages of one folder: enough for `npm install NAME`."""

import base64
import contextlib
import hashlib
import http.server
import json
import tarfile
import threading
from urllib.parse import unquote


def manifest(path):
    with tarfile.open(path) as archive:
        return json.load(archive.extractfile("package/package.json"))


def documents(folder, address):
    """What the registry says about each package, by its name."""
    made = {}
    for path in sorted(folder.glob("*.tgz")):
        read = manifest(path)
        digest = base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode()
        read["dist"] = {"tarball": f"{address}/{path.name}", "integrity": f"sha512-{digest}"}
        made[read["name"]] = {
            "name": read["name"], "dist-tags": {"latest": read["version"]}, "versions": {read["version"]: read}}
    return made


@contextlib.contextmanager
def registry(folder):
    """The address of a registry that lives as long as the block."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            name = unquote(self.path).lstrip("/")
            known = documents(folder, f"http://127.0.0.1:{self.server.server_port}")
            if name in known:
                return self.answer(json.dumps(known[name]).encode(), "application/json")
            files = {path.name: path for path in folder.glob("*.tgz")}
            if name in files:
                return self.answer(files[name].read_bytes(), "application/octet-stream")
            return self.send_error(404)

        def answer(self, content, kind):
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
