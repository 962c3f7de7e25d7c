"""`docker/release/build --check`: every package is installed in a clean place and used there."""

import filecmp
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from steps import archive, check_image, image, notes
from steps.source import CATALOGUE, HERE, ROOT, run

MIRROR = "http://deb.debian.org/debian"
LIMIT = 30
LIMIT_WITH_A_BUILD = 60
# The storage driver that needs no kernel copies every layer.
IMAGE_LIMIT = 600
ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "LC_ALL": "C.UTF-8",
}


def passed(name, start=None, limit=LIMIT):
    """Says so. A busy machine takes longer than the limit, so a check does not fail for that."""
    took = 0 if start is None else time.monotonic() - start
    seconds = f" ({took:.1f} s; {limit} s on a quiet machine)" if took else ""
    print(f"check: {name}{seconds}{': slow' if took > limit else ''}", flush=True)


def the_same(first, second):
    names = sorted(path.name for path in first.iterdir())
    different = filecmp.cmpfiles(first, second, names, shallow=False)
    if different[1] or different[2] or names != sorted(path.name for path in second.iterdir()):
        raise SystemExit(f"the second time these differ: {different[1] + different[2]}")
    passed(f"two times the same bytes: {', '.join(names)}")


def bare_debian(work):
    """A root with Debian's smallest system, or a copy of the one that HEARTH_DEBIAN_ROOT names."""
    root = work / "debian"
    if given := os.environ.get("HEARTH_DEBIAN_ROOT"):
        run("cp", "-a", given, root)
    else:
        run("debootstrap", "--variant=minbase", "bookworm", root, MIRROR)
    return root


def inside(root, *words):
    """Runs a command with another root, as a container would: with processes of its own."""
    script = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'
    return run(
        "unshare",
        "--mount",
        "--pid",
        "--fork",
        "--kill-child",
        "bash",
        "-c",
        script,
        root,
        *words,
        env=ENVIRONMENT,
    )


def commands(guide, heading, output="/tmp/packages"):
    """The first commands below a heading of a guide, with the packages of a folder."""
    text = (CATALOGUE / f"{guide}.md").read_text().split(f"\n## {heading}\n", 1)[1]
    found = re.search(r"```sh\n(.*?)```", text, re.DOTALL)[1]
    return found.replace("/tmp/packages", str(output))


def copied(root, package):
    """Puts a package, and the script of the first minute, where `installed` takes them from."""
    folder = archive.folder_of(root, "tmp/packages")
    for file in (package, HERE / "first-minute"):
        shutil.copy(file, folder)


def installed(root, heading):
    """Installs a package as the guide says, and goes through the first minute with it; what it printed."""
    script = 'set -e; cd /tmp/packages; sudo() { "$@"; }; export DEBIAN_FRONTEND=noninteractive\n'
    inside(root, "bash", "-c", script + commands("Installing", heading))
    return inside(root, "bash", "/tmp/packages/first-minute")


def archive_in_debian(source, output, work):
    root = bare_debian(work)
    copied(root, output / f"{source.name}.tar.gz")
    start = time.monotonic()
    expect_version(installed(root, "Linux"), source)
    passed("the archive, in a bare Debian", start)
    shutil.rmtree(root)


def package_in_debian(source, output, work):
    package = output / f"hearth_{source.version}_{source.debian}.deb"
    run("lintian", "--fail-on", "error,warning", package)
    passed("the Debian package, by lintian")
    root = bare_debian(work)
    inside(root, "apt-get", "update", "-q")
    copied(root, package)
    # The libraries that it needs; the clock starts after the download.
    inside(
        root, "apt-get", "install", "-y", "-q", "--download-only", f"/tmp/packages/{package.name}"
    )
    start = time.monotonic()
    expect_version(installed(root, "Debian"), source)
    passed("the Debian package, in a bare Debian", start)
    inside(root, "apt-get", "purge", "-y", "-q", "hearth")
    if left := [path for path in root.glob("usr/**/*hearth*") if path.is_file()]:
        raise SystemExit(f"a purge leaves {left}")
    shutil.rmtree(root)


def expect_version(said, source):
    if not said.startswith((f"hearth {source.version} (", f"hearth {source.version}\n")):
        raise SystemExit(f"the version is {said.splitlines()[:1]}")


def clean(work, name):
    """A home, and an environment that has no more than it and the system's tools."""
    home = archive.folder_of(work, name)
    tools = {str(Path(tool).parent) for tool in map(shutil.which, ("node", "swift")) if tool}
    path = ":".join([*sorted(tools), ENVIRONMENT["PATH"]])
    return home, {**ENVIRONMENT, "HOME": str(home), "PATH": path}


def wheel(output, work):
    home, environment = clean(work, "python")
    run(sys.executable, "-m", "venv", home / "venv", env=environment)
    # The tests' tool, before the clock starts: developers have it.
    run(home / "venv/bin/pip", "install", "-q", "pytest", env=environment)
    shutil.copy(ROOT / "Sources/hearth-python/example/test_first.py", home)
    environment |= {"PATH": f"{home}/venv/bin:{environment['PATH']}"}
    start = time.monotonic()
    run("bash", "-ec", commands("Testing-Python", "Install", output), cwd=home, env=environment)
    run("pytest", "-q", "test_first.py", cwd=home, env=environment)
    passed("the wheel, and a first test in Python", start)


def npm_package(output, work):
    home, environment = clean(work, "node")
    archive.write(home / "package.json", '{"private": true, "type": "module"}\n')
    shutil.copy(ROOT / "Sources/hearth-js/example/first.test.mjs", home)
    # The command after it is a server, which does not end.
    install = commands("Testing-JavaScript", "Install", output).splitlines()[0]
    environment |= {"npm_config_offline": "true", "npm_config_audit": "false"}
    start = time.monotonic()
    run("bash", "-ec", install, cwd=home, env=environment)
    run("node", "--test", "first.test.mjs", cwd=home, env=environment)
    passed("the npm packages, and a first test in JavaScript", start)
    run("npx", "--no-install", "hearth", "--version", cwd=home, env=environment)


SWIFT_TEST = """// swift-tools-version:6.2
import PackageDescription

let package = Package(
  name: "Shop",
  platforms: [.macOS(.v15)],
  dependencies: [.package(path: "hearth", traits: [])],
  targets: [
    .testTarget(name: "ShopTests", dependencies: [.product(name: "HearthTesting", package: "hearth")])
  ]
)
"""


def swift_package(source, output, work):
    """The consumer's test, in a package that depends on this one, with the program of the archive."""
    home, environment = clean(work, "swift-package")
    archive.write(home / "Package.swift", SWIFT_TEST)
    shutil.copytree(ROOT / "Tests/Consumer/Tests/AppTests", home / "Tests/ShopTests")
    (home / "hearth").symlink_to(ROOT)
    run("tar", "-xzf", output / f"{source.name}.tar.gz", "-C", home)
    environment |= {"PATH": f"{home}/{source.name}/bin:{environment['PATH']}"}
    start = time.monotonic()
    run("swift", "test", cwd=home, env=environment)
    passed("a first test in Swift, with its build", start, LIMIT_WITH_A_BUILD)


MANIFEST = """// swift-tools-version:6.0
import PackageDescription

let package = Package(
  name: "User",
  targets: [
    .binaryTarget(name: "hearth", path: "Hearth.artifactbundle.zip"),
    .plugin(
      name: "Emulate", capability: .command(intent: .custom(verb: "emulate", description: "Runs hearth")),
      dependencies: ["hearth"]),
  ])
"""
PLUGIN = """import Foundation
import PackagePlugin

@main struct Emulate: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    let process = Process()
    process.executableURL = try context.tool(named: "hearth").url
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
  }
}
"""


def artefact_bundle(source, output, work):
    home, environment = clean(work, "swift")
    archive.write(home / "Package.swift", MANIFEST)
    archive.write(home / "Plugins/Emulate/Emulate.swift", PLUGIN)
    shutil.copy(output / "Hearth.artifactbundle.zip", home)
    start = time.monotonic()
    said = run("swift", "package", "emulate", "--version", cwd=home, env=environment)
    expect_version(said, source)
    passed("the artefact bundle, by a plug-in of a package", start, LIMIT_WITH_A_BUILD)


def formula(output):
    run("ruby", "-c", output / "hearth.rb")
    passed("the formula is Ruby; Homebrew itself is not tried")


def bill_of_materials(source, output):
    read = json.loads((output / f"hearth-{source.version}.spdx.json").read_text())
    known = {part["SPDXID"] for part in read["packages"]} | {read["SPDXID"]}
    named = {
        row[end] for row in read["relationships"] for end in ("spdxElementId", "relatedSpdxElement")
    }
    if len(known) != len(read["packages"]) + 1 or named != known:
        raise SystemExit(f"the bill of materials has loose ends: {sorted(named ^ known)}")
    passed(f"the bill of materials: {len(read['packages'])} packages")


def provenance(source, output):
    """Names each package by its sum, but for the sums, which name it."""
    read = json.loads((output / f"hearth-{source.version}.intoto.json").read_text())
    told = {row["name"]: row["digest"]["sha256"] for row in read["subject"]}
    others = {"SHA256SUMS", f"hearth-{source.version}.intoto.json"}
    made = {path.name: archive.sha256(path) for path in output.iterdir() if path.name not in others}
    if told != made:
        raise SystemExit(f"the provenance differs: {sorted(set(told.items()) ^ set(made.items()))}")
    passed(f"the provenance: {len(told)} files, not signed")


def manual(source, output, work):
    folder = archive.folder_of(work, "manual")
    run("tar", "-xzf", output / f"{source.name}.tar.gz", "-C", folder, "--strip-components=1")
    pages = sorted(folder.glob("share/man/man1/*.1"))
    for page in pages:
        done = subprocess.run(
            ["groff", "-Kutf8", "-man", "-ww", "-Tutf8", "-z", page], capture_output=True, text=True
        )
        if done.returncode or done.stderr:
            raise SystemExit(f"{page.name}: {done.stderr}")
    run("bash", "-n", folder / "share/bash-completion/completions/hearth")
    links = re.compile(r"\]\((?![a-z]+:|#)([^)#\s]+)")
    for guide in [
        folder / "share/doc/hearth/README.md",
        *folder.glob("share/doc/hearth/guides/**/*.md"),
    ]:
        for target in links.findall(guide.read_text()):
            if not (guide.parent / target).exists():
                raise SystemExit(f"{guide.name} links to {target}, which is not in the archive")
    passed(f"{len(pages)} pages of the manual, the completion for bash, the links of the guides")


def quick(source, output, work):
    """What takes a moment and needs nothing but the packages."""
    run("sha256sum", "--check", "--quiet", "SHA256SUMS", cwd=output)
    passed("the sums")
    bill_of_materials(source, output)
    provenance(source, output)
    manual(source, output, work)
    image.check_size(output / f"{source.name}.oci.tar")
    if changes := notes.unreleased():
        print(f"check: not a release: {changes} changes are in no version of the change log")


def images(source, output, work, binary):
    passed(*check_image.release(source, output / f"{source.name}.oci.tar", work), IMAGE_LIMIT)
    root = bare_debian(work)
    passed(*check_image.dockerfile(source, binary, root, work), IMAGE_LIMIT)
    shutil.rmtree(root)


def all_of(source, output, work, binary, again):
    quick(source, output, work)
    formula(output)
    the_same(output, again())
    archive_in_debian(source, output, work)
    package_in_debian(source, output, work)
    images(source, output, work, binary)
    wheel(output, work)
    npm_package(output, work)
    artefact_bundle(source, output, work)
    swift_package(source, output, work)
