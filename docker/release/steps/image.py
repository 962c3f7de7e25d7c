"""The container image, as an archive that `docker load` and `podman load` read: the program and the C library.

What it runs, as whom and where is taken from docker/Dockerfile, so that both images are used alike. No engine is
needed to make it, and the same files make the same bytes.
"""

import hashlib
import io
import json
import re
import shlex
import tarfile
from pathlib import Path

from steps import archive, licence
from steps.source import ROOT, SUMMARY, run

DOCKERFILE = ROOT / "docker/Dockerfile"
# Compressed, as it is downloaded.
LIMIT = 30_000_000
OWNER = 10001
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
CONFIG = "application/vnd.oci.image.config.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
# Of one machine: the name of its images by the name that the kernel has.
ARCHITECTURE = {"x86_64": "amd64", "aarch64": "arm64"}
SECONDS = {"ms": 10**6, "s": 10**9, "m": 60 * 10**9}


def instructions():
    """The (name, rest) pairs of the Dockerfile's last stage."""
    text = re.sub(r"^\s*#.*\n", "", DOCKERFILE.read_text(), flags=re.MULTILINE)
    lines = [" ".join(line.split()) for line in text.replace("\\\n", " ").splitlines() if line]
    last = max(n for n, line in enumerate(lines) if line.startswith("FROM "))
    return [tuple(line.split(" ", 1)) for line in lines[last:]]


def said(name):
    [rest] = [rest for word, rest in instructions() if word == name]
    return rest


def health(rest):
    """The HEALTHCHECK of a Dockerfile, as engines keep it: times in nanoseconds."""
    flags = dict(re.findall(r"--([a-z-]+)=(\S+)", rest))

    def time(name):
        number, unit = re.fullmatch(r"(\d+)(ms|s|m)", flags[name]).groups()
        return int(number) * SECONDS[unit]

    return {
        "Test": ["CMD", *json.loads(rest[rest.index("[") :])],
        "Interval": time("interval"),
        "Timeout": time("timeout"),
        "StartPeriod": time("start-period"),
    }


def settings(source):
    labels = dict(pair.split("=", 1) for pair in shlex.split(said("LABEL")))
    labels |= {
        "org.opencontainers.image.version": source.version,
        "org.opencontainers.image.revision": source.commit,
    }
    if name := licence.identifier():
        labels["org.opencontainers.image.licenses"] = name
    # It is made of files, and of no other image.
    del labels["org.opencontainers.image.base.name"]
    return {
        "User": said("USER"),
        "WorkingDir": said("WORKDIR"),
        "Env": ["PATH=/usr/local/bin", said("ENV")],
        "Volumes": {said("VOLUME"): {}},
        "ExposedPorts": {f"{port}/tcp": {} for port in said("EXPOSE").split()},
        "StopSignal": said("STOPSIGNAL"),
        "Healthcheck": health(said("HEALTHCHECK")),
        "Entrypoint": json.loads(said("ENTRYPOINT")),
        "Cmd": json.loads(said("CMD")),
        "Labels": labels,
    }


def libraries(binary):
    """The shared libraries that the program is started with, at the places where it looks for them."""
    return sorted({Path(path) for path in re.findall(r"(/\S+) \(0x", run("ldd", binary))})


class Layer:
    """A layer of the image: the compressed archive of its files."""

    def __init__(self, epoch):
        self.epoch = epoch
        self.raw = io.BytesIO()
        self.tar = tarfile.open(fileobj=self.raw, mode="w", format=tarfile.GNU_FORMAT)
        self.folders = set()

    def add(self, path, content=None, mode=0o644, owner=0):
        """A file, or a folder where there is no content; with the folders above it."""
        for parent in [*Path(path).parents][-2::-1]:
            self.folder(parent.as_posix())
        if content is None:
            return self.folder(path, mode, owner)
        info = self.entry(path, mode, owner)
        info.size = len(content)
        self.tar.addfile(info, io.BytesIO(content))

    def folder(self, path, mode=0o755, owner=0):
        if path in self.folders:
            return
        self.folders.add(path)
        info = self.entry(path, mode, owner)
        info.type = tarfile.DIRTYPE
        self.tar.addfile(info)

    def entry(self, path, mode, owner):
        info = tarfile.TarInfo(path.removeprefix("/"))
        info.mode, info.uid, info.gid, info.mtime = mode, owner, owner, self.epoch
        return info

    def finish(self):
        self.tar.close()
        raw = self.raw.getvalue()
        self.plain_digest = hashlib.sha256(raw).hexdigest()
        self.bytes = archive.compressed(raw, level=9)
        return self


def base(binary, source):
    """What the program needs: the C library, its user, and the folders that it may write to."""
    layer = Layer(source.epoch)
    for path in libraries(binary):
        layer.add(path.as_posix(), path.read_bytes(), 0o755)
    passwd = f"root:x:0:0:root:/:/\nhearth:x:{OWNER}:{OWNER}::/data:/\n"
    layer.add("/etc/passwd", passwd.encode())
    layer.add("/etc/group", f"root:x:0:\nhearth:x:{OWNER}:\n".encode())
    layer.add("/etc/nsswitch.conf", b"hosts: files dns\n")
    layer.add("/tmp", mode=0o1777)
    layer.add("/data", mode=0o700, owner=OWNER)
    layer.add("/trust", mode=0o755, owner=OWNER)
    return layer.finish()


def program(binary, source):
    layer = Layer(source.epoch)
    layer.add("/usr/local/bin/hearth", binary.read_bytes(), 0o755)
    return layer.finish()


def blob(content, kind):
    return {"mediaType": kind, "digest": f"sha256:{digest(content)}", "size": len(content)}


def digest(content):
    return hashlib.sha256(content).hexdigest()


def text(value):
    return json.dumps(value, indent=1).encode()


def write(source, binary, output):
    """Writes hearth-VERSION-ARCH.oci.tar into a folder."""
    layers = [base(binary, source), program(binary, source)]
    config = text(
        {
            "created": source.timestamp,
            "architecture": ARCHITECTURE[source.arch],
            "os": "linux",
            "config": settings(source),
            "rootfs": {
                "type": "layers",
                "diff_ids": [f"sha256:{layer.plain_digest}" for layer in layers],
            },
            "history": [
                {"created": source.timestamp, "created_by": f"docker/release: {what}"}
                for what in ("the C library and folders", SUMMARY)
            ],
        }
    )
    manifest = text(
        {
            "schemaVersion": 2,
            "mediaType": MANIFEST,
            "config": blob(config, CONFIG),
            "layers": [blob(layer.bytes, LAYER) for layer in layers],
        }
    )
    name = f"hearth:{source.version}"
    names = {
        "io.containerd.image.name": f"docker.io/library/{name}",
        "org.opencontainers.image.ref.name": source.version,
    }
    index = text(
        {"schemaVersion": 2, "manifests": [blob(manifest, MANIFEST) | {"annotations": names}]}
    )
    # The second list is what engines read that know no OCI archives.
    older = text(
        [
            {
                "Config": f"blobs/sha256/{digest(config)}",
                "RepoTags": [name],
                "Layers": [f"blobs/sha256/{digest(layer.bytes)}" for layer in layers],
            }
        ]
    )
    file = Layer(source.epoch)
    file.add("oci-layout", b'{"imageLayoutVersion": "1.0.0"}')
    file.add("index.json", index)
    file.add("manifest.json", older)
    for content in (config, manifest, *(layer.bytes for layer in layers)):
        file.add(f"blobs/sha256/{digest(content)}", content)
    file.tar.close()
    made = output / f"{source.name}.oci.tar"
    made.write_bytes(file.raw.getvalue())
    return made


def check_size(made):
    if (size := made.stat().st_size) > LIMIT:
        raise SystemExit(f"{made.name} has {size} bytes; {LIMIT} at most")
    return size
