"""The bill of materials: SPDX 2.3 as JSON."""

import json
import re

from steps import licence, notices
from steps.archive import sha256
from steps.source import SUMMARY


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def package(name, version, licence, location="NOASSERTION", references=()):
    return {
        "SPDXID": identifier(f"Package-{name}"),
        "name": name,
        "versionInfo": version or "NOASSERTION",
        "downloadLocation": location,
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
        "externalRefs": [
            {
                "referenceCategory": "PACKAGE-MANAGER",
                "referenceType": "purl",
                "referenceLocator": purl,
            }
            for purl in references
        ],
    }


def swift_package(name, version, location, revision):
    address = location.removeprefix("https://").removesuffix(".git")
    return package(
        name,
        version,
        notices.SWIFT_LICENCE,
        f"git+{location}@{revision}",
        [f"pkg:swift/{address}@{version}"],
    )


def library(name, debian, licence, is_static):
    version = notices.debian_version(debian)
    made = package(name, version, licence, references=[f"pkg:deb/debian/{debian}@{version}"])
    made["comment"] = (
        "linked statically" if is_static else "linked dynamically; of the machine that it runs on"
    )
    return made


def relation(one, kind, other):
    return {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}


def document(source, binary, is_static):
    hearth = package("hearth", source.version, licence.identifier() or licence.UNKNOWN) | {
        "summary": SUMMARY,
        "primaryPackagePurpose": "APPLICATION",
        "sourceInfo": f"built from {source.build}",
        "checksums": [{"algorithm": "SHA256", "checksumValue": sha256(binary)}],
    }
    swift = package("swift-runtime", notices.swift_version(), notices.SWIFT_LICENCE)
    parts = [swift_package(*pin) for pin in notices.pins()]
    libraries = [
        library(name, debian, licence, is_static)
        for name, (debian, _, licence) in notices.LIBRARIES.items()
    ]
    link = "STATIC_LINK" if is_static else "DYNAMIC_LINK"
    relations = [relation("SPDXRef-DOCUMENT", "DESCRIBES", hearth["SPDXID"])]
    relations += [
        relation(hearth["SPDXID"], "STATIC_LINK", part["SPDXID"]) for part in [swift, *parts]
    ]
    relations += [relation(hearth["SPDXID"], link, part["SPDXID"]) for part in libraries]
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": source.name,
        "documentNamespace": f"https://spdx.org/spdxdocs/{source.name}-{sha256(binary)}",
        "creationInfo": {"created": source.timestamp, "creators": ["Tool: hearth-docker-release"]},
        "packages": [hearth, swift, *parts, *libraries],
        "relationships": relations,
    }


def text(source, binary, is_static):
    return json.dumps(document(source, binary, is_static), indent=2) + "\n"
