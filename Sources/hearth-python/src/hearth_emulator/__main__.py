"""`python -m hearth_emulator` is the command `hearth`."""

from hearth_emulator._binary import main

main()
