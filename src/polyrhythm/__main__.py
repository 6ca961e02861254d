"""``python -m polyrhythm``: the same as the command `polyrhythm`."""

from polyrhythm.cli import main

main()
