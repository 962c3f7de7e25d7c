"""`docker/release/build --check`: images are run with buildah, which needs no engine.

The image of the release is loaded and run. The Dockerfile is built too, from bases that debootstrap makes under
the official names; the compiler among them is a stand-in that copies a binary. An engine, arm64 and the real
image of Swift are not tried.
"""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request

from steps import archive, image
from steps.source import ROOT, run

READY = "All emulators ready!"
BUILDER = "docker.io/library/swift:6.3-bookworm"
BASE = "docker.io/library/debian:bookworm-slim"


class Store:
    """Images and containers in a folder of their own."""

    def __init__(self, folder):
        self.words = [
            "buildah",
            f"--root={folder}/images",
            f"--runroot={folder}/run",
            "--storage-driver=vfs",
        ]

    def run(self, *words, **options):
        return run(*self.words, *words, **options).strip()

    def in_container(self, container, *words, flags=()):
        return [*self.words, "run", "--isolation=chroot", *flags, container, "--", *words]

    @contextlib.contextmanager
    def container(self, name):
        made = self.run("from", "--pull-never", name)
        try:
            yield made
        finally:
            self.run("rm", made)


@contextlib.contextmanager
def served(store, container, *flags, mounts=()):
    """A server in a container; chroot has no network of its own, so its ports are free ones."""
    ports = [f"--{name}-port=0" for name in ("auth", "firestore", "console")]
    ports += [f"--{name}-port=none" for name in ("hub", "smtp", "smtp-tls", "mail-api")]
    words = store.in_container(container, "hearth", "serve", *ports, *flags, flags=mounts)
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = []
    try:
        for line in process.stdout:
            lines.append(line)
            if line.startswith(READY):
                break
        else:
            raise SystemExit("the server in the image did not start:\n" + "".join(lines))
        yield dict(line.split(None, 1) for line in lines if line.startswith(("auth ", "console ")))
        stop(process)
    finally:
        process.kill()


def stop(process):
    """Ends the server as an engine does, by SIGTERM to the program itself."""
    [server] = [pid for pid in below(process.pid) if name_of(pid) == "hearth"]
    os.kill(server, signal.SIGTERM)
    if process.wait(30) != 0:
        raise SystemExit(f"after SIGTERM the status is {process.returncode}")


def below(pid):
    """The processes that a process has started, and theirs."""
    found = []
    for child in run("sh", "-c", f"cat /proc/{pid}/task/*/children 2>/dev/null || :").split():
        found += [int(child), *below(int(child))]
    return found


def name_of(pid):
    with contextlib.suppress(OSError), open(f"/proc/{pid}/comm") as file:
        return file.read().strip()
    return ""


def sign_up(address, email):
    url = f"{address.strip()}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any"
    body = json.dumps({"email": email, "password": "password"}).encode()
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    with contextlib.suppress(urllib.error.HTTPError), urllib.request.urlopen(request) as reply:
        return reply.status == 200
    return False


def used(store, name, work, version):
    """Goes through what an image is for: version, exec, health, data on a volume, SIGTERM."""
    volume = archive.folder_of(work, "volume")
    os.chown(volume, image.OWNER, image.OWNER)
    # Not at /data: over the volume that an image declares, buildah puts one of its own.
    mounts = (f"--volume={volume}:/kept",)
    with store.container(name) as container:

        def command(*words):
            return run(*store.in_container(container, *words))

        if not command("hearth", "--version").startswith(f"hearth {version}"):
            raise SystemExit(f"{name} is another version")
        command("hearth", "exec", "--", "hearth", "health")
        with served(store, container, "--data", "/kept", mounts=mounts) as places:
            command("hearth", "health", "--address", places["auth"].strip())
            if not sign_up(places["auth"], "ada@example.com"):
                raise SystemExit("nobody can sign up")
        owners = {path.stat().st_uid for path in volume.iterdir()}
        if owners != {image.OWNER}:
            raise SystemExit(f"the files of the volume are those of {owners}")
        with served(store, container, "--data", "/kept", mounts=mounts) as places:
            if sign_up(places["auth"], "ada@example.com"):
                raise SystemExit("the volume has not kept an account")
    shutil.rmtree(volume)


def release(source, made, work):
    """The archive that users load."""
    start = time.monotonic()
    size = image.check_size(made)
    store = Store(archive.folder_of(work, "image-store"))
    name = store.run("pull", "--quiet", f"oci-archive:{made}").splitlines()[-1]
    config = json.loads(store.run("inspect", "--type=image", name))["OCIv1"]["config"]
    if config["User"] != image.said("USER"):
        raise SystemExit(f"the image runs as {config['User']}")
    used(store, name, work, source.version)
    return f"the image ({size / 1e6:.1f} MB), run with buildah", start


def dockerfile(source, binary, debian, work):
    """The Dockerfile, with a compiler that copies `binary`, which is linked as Debian's is."""
    start = time.monotonic()
    store = Store(archive.folder_of(work, "dockerfile-store"))
    context = archive.folder_of(work, "context")
    for name in ("docker/Dockerfile", "docker/Package.resolved"):
        archive.write(context / name, (ROOT / name).read_bytes())
    archive.write(context / "prebuilt", binary.read_bytes(), 0o755)
    compiler = "#!/bin/sh\nset -e\nmkdir -p .build/release\ncp prebuilt .build/release/hearth\n"
    for name, has_compiler in ((BASE, False), (BUILDER, True)):
        container = store.run("from", "scratch")
        store.run("add", "--quiet", container, debian, "/")
        if has_compiler:
            stand_in = context / "swift"
            archive.write(stand_in, compiler, 0o755)
            store.run("add", "--quiet", container, stand_in, "/usr/local/bin/swift")
            # `install -s` strips.
            run(*store.in_container(container, "apt-get", "update", "-q"))
            run(*store.in_container(container, "apt-get", "install", "-y", "-q", "binutils"))
        store.run("commit", "--quiet", container, name)
        store.run("rm", container)
    name = "localhost/hearth:check"
    store.run(
        "bud",
        "--pull-never",
        "--isolation=chroot",
        f"--build-arg=HEARTH_VERSION={source.version}",
        f"--tag={name}",
        f"--file={context}/docker/Dockerfile",
        context,
    )
    used(store, name, work, source.version)
    return "the Dockerfile, built and run with buildah and a stand-in for the compiler", start
