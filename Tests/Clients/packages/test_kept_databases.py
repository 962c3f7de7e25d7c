"""Data directories that earlier versions have left are opened by this one."""

import shutil

import pytest
import requests
from support.server import ROOT, Server

KEPT = ROOT / "fixtures/databases"
PROJECT = "demo-kept"
# Whether the version could keep snapshots.
VERSIONS = {"before-0.1.0": False, "hearth-0.1.0": True}


def test_every_folder_is_tried():
    assert {place.name for place in KEPT.iterdir() if place.is_dir()} == set(VERSIONS)


@pytest.mark.parametrize("version", VERSIONS)
def test_what_was_kept_is_there_and_can_be_used(tmp_path, version):
    shutil.copytree(KEPT / version, tmp_path / "data")
    for password in ("first secret", "second secret"):
        server = Server("--data", str(tmp_path / "data"), "--project", PROJECT)
        try:
            if password == "first secret":
                # The code of the mail that was sent then.
                mail = requests.get(
                    f"{server.auth}/emulator/v1/projects/{PROJECT}/messages/latest",
                    params={"to": "ada@example.com"},
                    timeout=30,
                ).json()
                switches = {"codeExpiry": False}
                control = f"{server.auth}/emulator/v1/projects/{PROJECT}/switches"
                assert requests.patch(control, json=switches, timeout=30).ok
                body = {"oobCode": mail["oobCode"], "newPassword": password}
                assert server.accounts("resetPassword", body)["email"] == "ada@example.com"
            session = server.accounts(
                "signInWithPassword", {"email": "ada@example.com", "password": "first secret"}
            )
            assert session["localId"]
            rome = f"projects/{PROJECT}/databases/(default)/documents/towns/rome"
            found = requests.get(
                f"{server.addresses['firestore']}/v1/{rome}",
                headers={"Authorization": "Bearer owner"},
                timeout=30,
            ).json()
            assert found["fields"]["people"] == {"integerValue": "2748109"}
            names = f"{server.auth}/emulator/v1/projects/{PROJECT}/snapshots"
            snapshots = requests.get(names, timeout=30).json()["snapshots"]
            assert [each["name"] for each in snapshots] == ["kept"] * VERSIONS[version]
        finally:
            server.stop()
