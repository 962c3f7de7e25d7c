"""The Debian package. Its binary uses Debian's own libraries, so that their fixes reach it."""

import os
import re
import shutil
import time

from steps import archive, licence, tree
from steps.source import DESCRIPTION, HERE, MAINTAINER, SUMMARY, run


def depends(binary, work):
    """The packages that have the libraries of the binary, as Debian's own tool finds them."""
    folder = archive.folder_of(work, "shlibdeps")
    archive.write(
        folder / "debian/control", "Source: hearth\n\nPackage: hearth\nArchitecture: any\n"
    )
    output = run("dpkg-shlibdeps", "-O", f"-e{binary}", cwd=folder)
    return re.search(r"^shlibs:Depends=(.+)$", output, re.MULTILINE)[1]


def wrapped(text, width=76):
    lines, line = [], ""
    for word in text.split():
        if len(line) + len(word) >= width:
            lines.append(line)
            line = ""
        line += f" {word}"
    return "\n".join([*lines, line])


def control(source, libraries, size):
    return f"""Package: hearth
Version: {source.version}
Architecture: {source.debian}
Maintainer: {MAINTAINER}
Installed-Size: {size}
Depends: {libraries}
Recommends: ca-certificates
Section: devel
Priority: optional
Description: {SUMMARY}
{wrapped(DESCRIPTION)}
"""


def changelog(source):
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(source.epoch))
    return (
        f"hearth ({source.version}) unstable; urgency=medium\n\n"
        f"  * Built from {source.build}.\n  * guides/ChangeLog.md lists what changed.\n\n"
        f" -- {MAINTAINER}  {date}\n"
    )


def contents(root, binary, source, scratch):
    """The files of the package, below a folder that represents /."""
    usr = root / "usr"
    tree.install(usr, binary, source, scratch, is_static=False)
    (usr / "share/zsh/vendor-completions").mkdir()
    shutil.move(usr / tree.COMPLETIONS["zsh"], usr / "share/zsh/vendor-completions/_hearth")
    (usr / "share/zsh/site-functions").rmdir()
    documents = usr / "share/doc/hearth"
    archive.write(documents / "changelog", changelog(source))
    copyright = (HERE / "copyright").read_text().replace("@LICENCE@", licence.debian())
    archive.write(documents / "copyright", copyright.replace("@YEAR@", source.date[:4]))
    archive.write(usr / "share/lintian/overrides/hearth", (HERE / "lintian-overrides").read_text())
    archive.write(usr / "lib/systemd/user/hearth.service", (HERE / "hearth.service").read_text())
    for page in sorted((usr / "share/man/man1").iterdir()):
        tree.compress(page)
    for name in ("changelog", "ThirdPartyNotices.txt"):
        tree.compress(documents / name)


def package(source, binary, scratch, work, output):
    root = archive.folder_of(work, "deb")
    contents(root, binary, source, scratch)
    files = [path for path in archive.entries(root) if path.is_file()]
    size = sum(path.stat().st_size for path in files) // 1024
    sums = run("md5sum", *(path.relative_to(root) for path in files), cwd=root)
    archive.write(root / "DEBIAN/control", control(source, depends(binary, work), size))
    archive.write(root / "DEBIAN/md5sums", sums)
    for path in [root, *archive.entries(root)]:
        path.chmod(archive.mode(path))
        os.utime(path, (source.epoch, source.epoch))
    made = output / f"hearth_{source.version}_{source.debian}.deb"
    # More than one thread would cut the data at places that depend on the machine.
    environment = {
        **os.environ,
        "SOURCE_DATE_EPOCH": str(source.epoch),
        "DPKG_DEB_THREADS_MAX": "1",
    }
    run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, made, env=environment)
    return made
