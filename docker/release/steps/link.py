"""The release binary: SwiftPM's link of `hearth`, once more, with the libraries inside.

The manifest links shared libraries, for builds from source. Here SwiftPM's own command of
the link is taken from its build description and run again, with a folder of static libraries as the
first that is searched.
"""

import json
import re
import shlex
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from steps import archive
from steps.source import LOCK, ROOT, run

LIMIT = 45_000_000
STATIC = ("libcrypto.a", "libsqlite3.a", "libz.a", "libstdc++.a")
# What stays shared is in every Linux with glibc.
SHARED = {"libc.so.6", "libm.so.6", "libgcc_s.so.1"}
GLIBC = (2, 35)
# Each function in a section of its own, so that the linker leaves out those that nobody calls and keeps one of those
# that are equal: 3 MB. The manifest cannot have the flag, since packages that depend on this one could not be built.
SECTIONS = ("-Xswiftc", "-Xfrontend", "-Xswiftc", "-function-sections")
# Paths of this machine are in debugging information and in a hash of each module, which only the compiler reads.
OF_THIS_MACHINE = ("--strip-debug", "--remove-section=.swift_modhash")


def built(scratch, root=ROOT):
    """Builds as `swift build -c release` does, from the locked versions; what it has linked is not used, but its
    objects."""
    # The bill of materials and the notices are made of the lock too.
    shutil.copyfile(LOCK, root / "Package.resolved")
    command = [
        "swift",
        "build",
        "-c",
        "release",
        "--force-resolved-versions",
        "--product",
        "hearth",
        *SECTIONS,
    ]
    if scratch != ROOT / ".build":
        command += ["--scratch-path", str(scratch)]
        # C has paths in its messages. These flags build everything again, so `.build` goes without them.
        for folder, name in ((root, "/hearth"), (scratch, "/build")):
            command += ["-Xcc", f"-ffile-prefix-map={folder}={name}"]
        # The names of functions in assertions have paths that no flag maps.
        command += ["-Xcc", "-DNDEBUG"]
    if subprocess.run(command, cwd=root).returncode:
        raise SystemExit("swift build failed")


def command(scratch):
    """The words with which SwiftPM links hearth."""
    plan = scratch / "release.yaml"
    found = (
        re.search(r'description: "Linking [^"]*/hearth"\n\s+args: (\[.*\])\n', plan.read_text())
        if plan.exists()
        else None
    )
    if not found:
        raise SystemExit(
            f"{plan} has no command that links hearth; run swift build -c release first"
        )
    return json.loads(found[1])


def static_libraries(folder):
    """The static libraries, in a folder without shared ones."""
    folder.mkdir()
    for name in STATIC:
        path = Path(run("gcc", f"-print-file-name={name}").strip())
        if not path.is_absolute():
            raise SystemExit(
                f"{name} is missing: apt-get install libssl-dev libsqlite3-dev zlib1g-dev g++"
            )
        (folder / name).symlink_to(path)
    return folder


def build_text(source, folder):
    """The object with the text that `hearth --version` shows in parentheses."""
    made = folder / "build.o"
    sources = ROOT / "Sources/CHearthBuild"
    run(
        "clang",
        "-O2",
        "-fPIC",
        f'-DHEARTH_BUILD="{source.build}"',
        f"-I{sources / 'include'}",
        "-c",
        sources / "build.c",
        "-o",
        made,
    )
    return str(made)


def objects(source, words, folder):
    """What SwiftPM links, with the text of this build in its place."""
    [listing] = [word[1:] for word in words if word.endswith(".LinkFileList")]
    files = shlex.split(Path(listing).read_text())
    [old] = [file for file in files if file.endswith("/CHearthBuild.build/build.c.o")]
    return [build_text(source, folder) if file == old else file for file in files]


def without(sections, files, folder):
    """Copies of objects that lack these sections."""
    copies = [str(folder / f"{number}.o") for number in range(len(files))]
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda file, copy: run("objcopy", *sections, file, copy), files, copies))
    return copies


def relinked(words, files, folder, output):
    """SwiftPM's link with these objects; without debugging information and a search path of its own."""
    listing = folder / "objects.list"
    listing.write_text("\n".join(map(shlex.quote, files)) + "\n")
    words = [
        f"@{listing}" if word.endswith(".LinkFileList") else word for word in words if word != "-g"
    ]
    words[words.index("-o") + 1] = str(output)
    if "-rpath=$ORIGIN" in words:
        place = words.index("-rpath=$ORIGIN")
        del words[place - 1 : place + 1]
    run(*words, "-Xlinker", "--icf=all", "-Xlinker", "--strip-all", cwd=ROOT)


def shared(source, scratch, work, output):
    """The binary of the Debian package."""
    folder = archive.folder_of(work, "shared")
    words = command(scratch)
    files = without(
        OF_THIS_MACHINE, objects(source, words, folder), archive.folder_of(folder, "objects")
    )
    relinked(words, files, folder, output)


def static(source, scratch, work, output):
    """The binary of everything else, and the proof of what it is."""
    folder = archive.folder_of(work, "static")
    words = command(scratch)
    files = without(
        OF_THIS_MACHINE, objects(source, words, folder), archive.folder_of(folder, "objects")
    )
    words[1:1] = [f"-L{static_libraries(folder / 'libraries')}"]
    relinked(words, files, folder, output)
    proven(output)


def needed(binary):
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", binary)))


def missing(binary):
    """The shared libraries that it needs and that are not on every Linux with glibc."""
    return {name for name in needed(binary) - SHARED if not name.startswith("ld-linux")}


def proven(binary):
    if other := missing(binary):
        raise SystemExit(f"{binary.name} needs {', '.join(sorted(other))}")
    if "Flags: PIE" not in run("readelf", "-d", binary):
        raise SystemExit(f"{binary.name} is not position-independent")
    if (least := glibc(binary)) > GLIBC:
        raise SystemExit(f"{binary.name} needs glibc {least}, and the guide says {GLIBC}")
    if (size := binary.stat().st_size) > LIMIT:
        # What is left to save: 3 MB by `-z pack-relative-relocs`, for glibc 2.36 instead of 2.35.
        raise SystemExit(f"{binary.name} has {size} bytes; {LIMIT} at most")


def glibc(binary):
    """The oldest glibc that the binary runs with, such as (2, 35)."""
    versions = re.findall(r"GLIBC_(\d+)\.(\d+)", run("readelf", "-VW", binary))
    return max((int(major), int(minor)) for major, minor in versions)
