"""Refusing what is larger than the machine, before anything is allocated."""

from __future__ import annotations

import os

from polyrhythm.compile.codes import BuildError, problem

#: More is told as this: what a file claims may have thousands of digits.
_MOST = 1 << 90


def check_size(nbytes: int, what: str) -> None:
    """Refuse what cannot be in this machine's memory.

    Raises:
        BuildError: PI054.
    """
    if nbytes > os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"):
        nbytes = min(nbytes, _MOST)
        message = f"{what} would take {nbytes / 2**30:.3g} GiB"
        mend = "check its shapes, or import it on a larger machine"
        raise BuildError(
            problem("PI054", "model", message, nbytes, "what fits into the memory of this machine", mend)
        )
