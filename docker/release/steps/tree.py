"""The files of an installation: the program, its manual, completions, guides and notices."""

import re
import shutil

from steps import archive, licence, manual, notices
from steps.source import CATALOGUE, ROOT

# A link to a file that is not below the linking one's folder.
UPWARDS = re.compile(r"\[([^\[\]]*)\]\((\.\./[^()\s]*)\)")
COMPLETIONS = {
    "bash": "share/bash-completion/completions/hearth",
    "zsh": "share/zsh/site-functions/_hearth",
    "fish": "share/fish/vendor_completions.d/hearth.fish",
}


def portable(page, link):
    """A guide's link as it works in the archive: a file of the source that is not in it becomes plain text."""
    text, target = link.groups()
    path, _, anchor = target.partition("#")
    file = (page.parent / path).resolve()
    if file == ROOT / "README.md":
        # guides/ is next to README.md.
        up = "../" * len(page.relative_to(CATALOGUE).parts)
        return f"[{text}]({up}README.md{'#' + anchor if anchor else ''})"
    return link[0] if file.is_relative_to(CATALOGUE) else text


def guides(folder):
    """README and guides, with links that work there; a link to another file of the source is its text."""
    readme = (ROOT / "README.md").read_text().replace("](Sources/hearth/Hearth.docc/", "](guides/")
    archive.write(folder / "README.md", re.sub(r"\[([^\]]*)\]\(\.github/[^)]*\)", r"\1", readme))
    for page in archive.entries(CATALOGUE):
        place = folder / "guides" / page.relative_to(CATALOGUE)
        if page.suffix == ".md":
            archive.write(place, UPWARDS.sub(lambda link: portable(page, link), page.read_text()))
        elif page.is_file():
            archive.write(place, page.read_bytes())


def install(prefix, binary, source, scratch, is_static):
    """Everything below a prefix such as /usr/local."""
    shutil.copyfile(binary, archive.folder_of(prefix, "bin") / "hearth")
    (prefix / "bin/hearth").chmod(0o755)
    for name, text in manual.pages(binary, source).items():
        archive.write(prefix / "share/man/man1" / name, text)
    for shell, text in manual.completions(binary).items():
        archive.write(prefix / COMPLETIONS[shell], text)
    documents = prefix / "share/doc/hearth"
    guides(documents)
    if text := licence.text():
        archive.write(documents / "LICENSE", text)
    archive.write(documents / "ThirdPartyNotices.txt", notices.notices(scratch, is_static))


def compress(path):
    path.with_name(path.name + ".gz").write_bytes(archive.compressed(path.read_bytes(), level=9))
    path.unlink()
