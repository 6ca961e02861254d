"""The rate that was got, measured so that the ends of episodes don't count for or against it."""

from __future__ import annotations

NS_PER_S = 1_000_000_000


class Tempo:
    """Rate of an activity on a grid that starts over with every episode.

    Counted are episodes, or the parts of them in which it is asked for. Within one the rate is the inverse of
    the mean distance between instants that were served; a tail longer than `patience_ns` in which nothing was
    served counts as distance. Counting instants over running time would be off by up to one period in every
    episode: much, when episodes are short and periods long.
    """

    __slots__ = ("_began_ns", "_first_ns", "_gaps", "_last_ns", "_patience_ns", "_span_ns")

    def __init__(self, patience_ns: int) -> None:
        self._patience_ns = patience_ns
        self._began_ns: int | None = None
        self._first_ns: int | None = None
        self._last_ns = 0
        self._gaps = 0
        self._span_ns = 0

    def begin(self, now_ns: int) -> None:
        """An episode begins, unless one goes on."""
        if self._began_ns is None:
            self._began_ns, self._first_ns = now_ns, None

    def beat(self, instant_ns: int) -> None:
        """The grid instant `instant_ns` was served."""
        if self._first_ns is None:
            self._first_ns = instant_ns
        else:
            self._gaps += 1
            self._span_ns += instant_ns - self._last_ns
        self._last_ns = instant_ns

    def end(self, now_ns: int) -> None:
        """The episode is over."""
        self._span_ns += self._tail_ns(now_ns)
        self._began_ns = self._first_ns = None

    def hz(self, now_ns: int) -> float | None:
        """The rate up to now; None while that can't be told."""
        span_ns = self._span_ns + self._tail_ns(now_ns)
        return self._gaps * NS_PER_S / span_ns if span_ns > 0 else None

    def _tail_ns(self, now_ns: int) -> int:
        if self._began_ns is None:
            return 0
        silent_ns = now_ns - (self._began_ns if self._first_ns is None else self._last_ns)
        return silent_ns if silent_ns > self._patience_ns else 0
