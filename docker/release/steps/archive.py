"""Archives that are the same bytes whenever they are made of the same files."""

import gzip
import hashlib
import io
import os
import stat
import tarfile
import time
import zipfile
from pathlib import Path


def write(path, content, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    path.chmod(mode)


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def compressed(content, level=6):
    """As `gzip -n` makes it, without a name and a time."""
    made = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=made, compresslevel=level, mtime=0) as file:
        file.write(content)
    return made.getvalue()


def entries(folder):
    """Every file and folder below, sorted by name, links not followed."""
    return sorted(folder.rglob("*"), key=lambda path: path.relative_to(folder).as_posix())


def mode(path):
    if path.is_dir() or os.access(path, os.X_OK):
        return 0o755
    return 0o644


def tar_gz(folder, output, epoch):
    """The folder itself is the only entry at the top level."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for path in [folder, *entries(folder)]:
            info = tar.gettarinfo(path, arcname=path.relative_to(folder.parent).as_posix())
            info.uid = info.gid = 0
            info.uname = info.gname = "root"
            info.mtime = epoch
            info.mode = mode(path)
            if info.isreg():
                with path.open("rb") as file:
                    tar.addfile(info, file)
            else:
                tar.addfile(info)
    output.write_bytes(compressed(raw.getvalue()))


def zip_file(folder, output, epoch):
    when = time.gmtime(max(epoch, 315532800))[:6]  # Not before 1980.
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for path in entries(folder):
            if not path.is_file():
                continue
            info = zipfile.ZipInfo(path.relative_to(folder).as_posix(), when)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3  # Unix: the mode below counts.
            info.external_attr = (stat.S_IFREG | mode(path)) << 16
            archive.writestr(info, path.read_bytes())


def sums(folder):
    """The lines of SHA256SUMS, as `sha256sum --check` reads them."""
    files = sorted(
        path for path in folder.iterdir() if path.is_file() and path.name != "SHA256SUMS"
    )
    return "".join(f"{sha256(path)}  {path.name}\n" for path in files)


def folder_of(parent, name):
    made = Path(parent) / name
    made.mkdir(parents=True)
    return made
