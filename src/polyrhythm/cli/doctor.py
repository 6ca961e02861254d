"""`polyrhythm doctor`."""

from __future__ import annotations

from polyrhythm.cli._common import JsonOption, console, print_json


def verb(as_json: JsonOption = False) -> None:
    """Tell whether this machine is fit to play.

    Cores, scheduler rights, drivers, compiler, extras; measures how late threads wake and what a call costs.
    """
    from polyrhythm.cli._tiny import tiny
    from polyrhythm.observe.doctor import examine
    from polyrhythm.observe.doctor_tables import render_doctor

    found = examine(tiny())
    if as_json:
        print_json(found)
    else:
        console().print(render_doctor(found))
