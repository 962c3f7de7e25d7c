"""Clients that ask for much and do not read it cost the server a bounded amount of memory."""

import json
import pathlib
import re
import socket
import time

import pytest
import requests
from google.cloud.firestore_v1.types import firestore as messages
from support.h2_client import Connection
from support.server import Server

# Thirty documents of a megabyte each, asked for sixty times.
DOCUMENTS = 30
CLIENTS = 60
MOST = 400_000_000

DATABASE = "projects/demo-unread/databases/(default)"
PARENT = f"{DATABASE}/documents"
QUERY = {"from": [{"collectionId": "large"}]}


def resident(server):
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) * 1024


@pytest.fixture
def server():
    if not pathlib.Path("/proc/self/status").exists():
        pytest.skip("needs /proc")
    server = Server("--auth-port", "0", "--firestore-port", "0")
    fill(server)
    yield server
    server.stop()


def fill(server):
    server.firestore = server.addresses["firestore"].removeprefix("http://")
    text = {"stringValue": "x" * 1_000_000}
    for number in range(DOCUMENTS):
        reply = requests.patch(
            f"http://{server.firestore}/v1/{PARENT}/large/{number:02}",
            json={"fields": {"text": text}},
            timeout=30,
        )
        assert reply.status_code == 200, reply.text


def others_are_served(server):
    """Asks for one small thing until the server has begun every answer, and returns its largest memory."""
    most = 0
    for _ in range(40):
        url = f"{server.auth}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any"
        assert requests.post(url, json={}, timeout=30).status_code == 200
        most = max(most, resident(server))
        time.sleep(0.1)
    return most


def rest(server):
    """A socket for each answer."""
    host, _, port = server.firestore.rpartition(":")
    body = json.dumps({"structuredQuery": QUERY})
    head = (
        f"POST /v1/{PARENT}:runQuery HTTP/1.1\r\nHost: {server.firestore}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    for _ in range(CLIENTS):
        client = socket.create_connection((host, int(port)))
        client.sendall((head + body).encode())
        yield client


def query_message():
    request = messages.RunQueryRequest(parent=PARENT)
    request.structured_query.from_.append({"collection_id": "large"})
    return messages.RunQueryRequest.serialize(request)


def target_message():
    request = messages.ListenRequest(database=DATABASE)
    request.add_target.query.parent = PARENT
    request.add_target.query.structured_query.from_.append({"collection_id": "large"})
    request.add_target.target_id = 2
    return messages.ListenRequest.serialize(request)


def streams(method, message, end):
    """All answers on one connection, whose streams have a window of nothing."""

    def opened(server):
        connection = Connection(server.firestore)
        connection.h2.update_settings({4: 0})
        for _ in range(CLIENTS):
            connection.call(method, message(), [("authorization", "Bearer owner")], end)
            connection.flush()
        yield connection.socket

    return opened


def channels(server):
    """A WebChannel session for each answer, whose back channel nobody reads."""
    host, _, port = server.firestore.rpartition(":")
    path = "/google.firestore.v1.Firestore/Listen/channel"
    target = {
        "database": DATABASE,
        "addTarget": {"query": {"parent": PARENT, "structuredQuery": QUERY}, "targetId": 2},
    }
    for number in range(CLIENTS):
        reply = requests.post(
            f"http://{server.firestore}{path}",
            params={"VER": 8, "database": DATABASE, "RID": 1000 + number, "CVER": 22},
            data={"count": 1, "ofs": 0, "req0___data__": json.dumps(target)},
            headers={"Authorization": "Bearer owner"},
            timeout=30,
        )
        assert reply.status_code == 200, reply.text
        session = re.search(r'"c","([^"]+)"', reply.text)[1]
        client = socket.create_connection((host, int(port)))
        client.sendall(
            (
                f"GET {path}?VER=8&database={DATABASE}&SID={session}&RID=rpc&AID=0&CI=0&TYPE=xmlhttp "
                f"HTTP/1.1\r\nHost: {server.firestore}\r\n\r\n"
            ).encode()
        )
        yield client


@pytest.mark.parametrize(
    "clients",
    [
        pytest.param(rest, id="REST"),
        pytest.param(streams("RunQuery", query_message, end=True), id="gRPC"),
        pytest.param(streams("Listen", target_message, end=False), id="listeners"),
        pytest.param(channels, id="WebChannel"),
    ],
)
def test_answers_that_nobody_reads_are_bounded(server, clients):
    open_ones = list(clients(server))
    most = others_are_served(server)
    for client in open_ones:
        client.close()
    assert most <= MOST
