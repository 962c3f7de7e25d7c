"""The command: `python -m Tests.Differential --help`."""

from .run import main

raise SystemExit(main())
