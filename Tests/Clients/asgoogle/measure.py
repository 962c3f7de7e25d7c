"""What `hearth exec --as-google` takes longer to start a command than `hearth exec` does.

    HEARTH_BINARY=.build/release/hearth .venv/bin/python Tests/Clients/asgoogle/measure.py

Both run `true`, in turn, so that a busy machine slows both down. The key of the service account is
made before: it takes longer than all the rest.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

ROUNDS = 30


def took(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return (time.perf_counter() - start) * 1000


def main() -> None:
    hearth = os.environ["HEARTH_BINARY"]
    with tempfile.TemporaryDirectory() as folder:
        key = f"{folder}/key.json"
        subprocess.run(
            [hearth, "service-account", "create", "--project", "demo-speed", "--output", key],
            check=True,
            capture_output=True,
        )
        common = ["--project", "demo-speed", "--service-account", key]
        plain = [hearth, "exec", *common, "--", "true"]
        google = [hearth, "exec", "--as-google", *common, "--", "true"]
        times = [(took(plain), took(google)) for _ in range(ROUNDS)]
    for name, values in zip(("exec", "exec --as-google"), zip(*times)):
        print(f"{name}: {statistics.median(values):.1f} ms, at best {min(values):.1f} ms")
    more = statistics.median(google - plain for plain, google in times)
    print(f"difference: {more:.1f} ms")
    sys.exit(more > 50)


main()
