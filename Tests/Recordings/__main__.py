"""`python -m Tests.Recordings FOLDER`."""

from .run import main

raise SystemExit(main())
