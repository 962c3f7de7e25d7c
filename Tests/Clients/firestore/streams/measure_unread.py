"""How long small requests take while sixty answers of 30 MB are asked for and not read.

    HEARTH_BINARY=.build/release/hearth .venv/bin/python Tests/Clients/firestore/streams/measure_unread.py

Prints milliseconds for each transport: `GET /` over one connection, sent every
10 ms from the first large request on. The client of the large answers is a process of its own.
"""

import http.client
import multiprocessing
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))

from firestore.streams.test_unread_answers import (  # noqa: E402
    channels,
    fill,
    query_message,
    resident,
    rest,
    streams,
    target_message,
)
from support.server import Server  # noqa: E402

SECONDS = 6
TRANSPORTS = {
    "REST": rest,
    "gRPC": streams("RunQuery", query_message, end=True),
    "listeners": streams("Listen", target_message, end=False),
    "WebChannel": channels,
}


class Address:
    def __init__(self, firestore: str):
        self.firestore = firestore


def ask(name: str, firestore: str, is_over) -> None:
    """The large answers; their connections stay until the measurement is over."""
    open_ones = list(TRANSPORTS[name](Address(firestore)))
    is_over.wait()
    for client in open_ones:
        client.close()


def times(server: Server) -> list[float]:
    connection = http.client.HTTPConnection(server.host)
    found = []
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        began = time.perf_counter()
        connection.request("GET", "/")
        connection.getresponse().read()
        found.append((time.perf_counter() - began) * 1000)
        time.sleep(0.01)
    return sorted(found)


def main() -> None:
    for name in TRANSPORTS:
        server = Server("--auth-port", "0", "--firestore-port", "0")
        fill(server)
        quiet = times(server)
        is_over = multiprocessing.Event()
        process = multiprocessing.Process(target=ask, args=(name, server.firestore, is_over))
        process.start()
        found = times(server)
        memory = resident(server) / 1e6
        is_over.set()
        process.join()
        server.stop()
        print(
            f"{name:<11} worst {found[-1]:.0f} ms, p99 {found[len(found) * 99 // 100]:.1f} ms, "
            f"median {found[len(found) // 2]:.1f} ms ({len(found)} requests); "
            f"alone: worst {quiet[-1]:.1f} ms; {memory:.0f} MB"
        )


if __name__ == "__main__":
    main()
