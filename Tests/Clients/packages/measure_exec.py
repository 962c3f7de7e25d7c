"""What `hearth exec` adds to a command: medians with and without it, in turn.

Tests/Clients/packages/measure_exec.py [BINARY] [ROUNDS] [COMMAND...]
Tests/Clients/packages/measure_exec.py --at-once 12 [BINARY] [ROUNDS] [COMMAND...]
    how long it takes until so many that start together have ended
"""

import os
import statistics
import subprocess
import sys
import time


def seconds(words, at_once=1):
    # Only that it has ended counts: tests that are not there end with a status of their own.
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("HEARTH_")
    }
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    start = time.perf_counter()
    processes = [subprocess.Popen(words, env=environment, **quiet) for _ in range(at_once)]
    for process in processes:
        process.wait()
    return time.perf_counter() - start


def together(count, binary=".build/release/hearth", rounds="20", *command):
    words = [binary, "exec", "--", *(command or ["true"])]
    found = [seconds(words, int(count)) * 1000 for _ in range(int(rounds))]
    print(f"{count} at once  {statistics.median(found):7.1f} ms   (least {min(found):.1f})")


def main(binary=".build/release/hearth", rounds="20", *command):
    command = list(command) or ["true"]
    ways = {"alone": command, "with exec": [binary, "exec", "--", *command]}
    for way in ways.values():
        seconds(way)
    found = {name: [] for name in ways}
    for _ in range(int(rounds)):
        for name, words in ways.items():
            found[name].append(seconds(words) * 1000)
    medians = {name: statistics.median(times) for name, times in found.items()}
    for name, times in found.items():
        print(f"{name:9}  {medians[name]:7.1f} ms   (least {min(times):.1f})")
    print(
        f"exec adds  {medians['with exec'] - medians['alone']:7.1f} ms   "
        f"(least {min(found['with exec']) - min(found['alone']):.1f})"
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--at-once"]:
        together(*sys.argv[2:])
    else:
        main(*sys.argv[1:])
