"""SwiftPM's artefact bundle: a package names it as a binary target, and a plug-in runs it."""

import json
import shutil

from steps import archive


def bundle(source, binary, work, output):
    root = archive.folder_of(work, "bundle")
    place = root / "Hearth.artifactbundle" / source.name
    (place / "bin").mkdir(parents=True)
    shutil.copyfile(binary, place / "bin/hearth")
    (place / "bin/hearth").chmod(0o755)
    variant = {"path": f"{source.name}/bin/hearth", "supportedTriples": [source.triple]}
    information = {
        "schemaVersion": "1.0",
        "artifacts": {
            "hearth": {"type": "executable", "version": source.version, "variants": [variant]}
        },
    }
    archive.write(
        root / "Hearth.artifactbundle/info.json", json.dumps(information, indent=2) + "\n"
    )
    made = output / "Hearth.artifactbundle.zip"
    archive.zip_file(root, made, source.epoch)
    return made
