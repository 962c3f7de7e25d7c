"""What the packages were made of, as an in-toto statement of SLSA provenance. It is not signed: it says, and proves
nothing to somebody who does not trust where it comes from."""

import json

from steps import notices
from steps.archive import sha256
from steps.source import LOCK, run

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "https://slsa.dev/provenance/v1"
# Names of our own; nothing is at the address.
KIND = "https://example.com/hearth/docker-release/v1"


def material(uri, **digest):
    return {"uri": uri, "digest": digest}


def materials(source):
    commit = source.commit.split()[0]
    return [
        material("git+https://example.com/hearth", gitCommit=commit),
        material("file:docker/Package.resolved", sha256=sha256(LOCK)),
        *(material(f"git+{place}", gitCommit=revision) for _, _, place, revision in notices.pins()),
    ]


def statement(source, output):
    files = sorted(path for path in output.iterdir() if path.is_file())
    return {
        "_type": STATEMENT,
        "subject": [{"name": path.name, "digest": {"sha256": sha256(path)}} for path in files],
        "predicateType": PREDICATE,
        "predicate": {
            "buildDefinition": {
                "buildType": KIND,
                "externalParameters": {"version": source.version, "build": source.build},
                "internalParameters": {
                    "swift": notices.swift_version(),
                    "sourceDateEpoch": source.epoch,
                    "isClean": "with changes" not in source.commit,
                },
                "resolvedDependencies": materials(source),
            },
            "runDetails": {
                "builder": {
                    "id": KIND,
                    "version": {"debian": run("cat", "/etc/debian_version").strip()},
                },
                "metadata": {"invocationId": source.build, "finishedOn": source.timestamp},
            },
        },
    }


def text(source, output):
    return json.dumps(statement(source, output), indent=2) + "\n"
