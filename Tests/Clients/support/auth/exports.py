"""The export and import commands, and everything that can be read of a project."""

import os
import subprocess

import pytest
from support.auth.project import Project
from support.server import binary

A, B = "a@example.com", "b@example.com"
ON = {"state": "ENABLED", "enabledProviders": ["PHONE_SMS"]}


def command(*arguments, **environment) -> subprocess.CompletedProcess:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("HEARTH_")}
    return subprocess.run(
        [binary(), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=60,
        env=clean | environment,
    )


def on(project: Project, *arguments) -> subprocess.CompletedProcess:
    return command(*arguments, "--project", project.id, "--address", project.server.host)


def exported(project: Project, directory):
    done = on(project, "export", directory)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert done.stdout == f"Exported to {directory}.\n"
    return directory


def imported(project: Project, path, *options) -> list[str]:
    """The lines of the import."""
    done = on(project, "import", path, *options)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout.splitlines()


@pytest.fixture
def project(hearth) -> Project:
    return Project(hearth)


def download(project: Project, tenant=None) -> list[dict]:
    params = {"maxResults": -1} | ({"tenantId": tenant} if tenant else {})
    return project.owner("GET", f"{project.v1}/accounts:batchGet", params=params)["users"]


def tenants(project: Project) -> list[dict]:
    return project.owner("GET", f"{project.v2}/tenants", params={"pageSize": 1000})["tenants"]


def everything(project: Project) -> dict:
    """All that can be read of a project."""
    listed = tenants(project)
    return {
        "users": {
            tenant: download(project, tenant)
            for tenant in [None, *(tenant["tenantId"] for tenant in listed)]
        },
        "tenants": listed,
        "config": project.owner("GET", f"{project.v2}/config"),
        "view": project.request("GET", f"{project.control}/config"),
        "switches": project.request("GET", f"{project.control}/switches"),
    }


def several_tenants(project) -> None:
    """Three tenants and the project itself, with the same addresses everywhere."""
    project.tenant(displayName="Acme", allowPasswordSignup=True, mfaConfig=ON)
    project.tenant(displayName="Off", disableAuth=True, enableAnonymousUser=True)
    project.tenant(displayName="Empty")
    project.sign_up(A)
    for tenant in tenants(project)[:1] + [{"tenantId": "implicit"}]:
        project.owner(
            "PATCH",
            f"{project.v2}/tenants/{tenant['tenantId']}",
            params={"updateMask": "allowPasswordSignup,disableAuth"},
            json={"allowPasswordSignup": True, "disableAuth": False},
        )
        for email in (A, B):
            project.sign_up(email, tenantId=tenant["tenantId"])
