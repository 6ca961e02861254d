"""Which episode comes next: tasks in turn, each with a seed of its own, reproducible from one number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple


class Episode(NamedTuple):
    """One episode to be played."""

    number: int
    task: str
    seed: int


def episodes(tasks: Sequence[str], each: int | None, seed: int) -> Iterator[Episode]:
    """`each` episodes of every task, taking the tasks in turn; without end if `each` is None.

    The n-th episode of every task has the environment seed ``seed + n``.
    """
    number = count()
    for round_ in count() if each is None else range(each):
        for task in tasks:
            yield Episode(next(number), task, seed + round_)
