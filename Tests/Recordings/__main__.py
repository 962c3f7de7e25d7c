"""`python -m Tests.Recordings FOLDER`, or `--self-test`."""

import sys

from . import run, self_test

raise SystemExit(self_test.main() if sys.argv[1:] == ["--self-test"] else run.main())
