"""Checks of `memory`: groups of modules that exist, with budgets that can all be kept."""

from __future__ import annotations

from collections.abc import Iterator

from polyrhythm.manifest.diagnostics import Diagnostic, Path
from polyrhythm.manifest.draft import Draft, listed, suggest
from polyrhythm.manifest.values import size

GROUPS: Path = ("memory", "groups")
TOTAL: Path = ("memory", "total")


def check_memory(draft: Draft) -> Iterator[Diagnostic]:
    """All contradictions about memory."""
    first: dict[str, Path] = {}
    for group in draft.names(GROUPS):
        for path in _members(draft, (*GROUPS, group, "modules")):
            name = draft.leaf(*path)
            if name is None:
                continue
            if draft.ids_known and name not in draft.ids:
                yield draft.error(
                    "PM091",
                    path,
                    f"there is no module `{name}`",
                    allowed=listed(draft.ids),
                    mend=suggest(name, draft.ids, "remove it from the group"),
                )
            elif name in first:
                yield draft.error(
                    "PM092",
                    path,
                    f"`{name}` is in two groups, or twice in one: which budget is it to keep?",
                    allowed="each module in one group",
                    mend="remove it from one of the two",
                    also=[first[name]],
                )
            else:
                first[name] = path
    yield from _promised(draft)


def _members(draft: Draft, path: Path) -> Iterator[Path]:
    """The modules of a group: items of a list, or one name."""
    items = list(draft.items(path))
    yield from items if items or isinstance(draft.source.get(path), list) else [path]


def _promised(draft: Draft) -> Iterator[Diagnostic]:
    """Budgets are promises: all of them together have to fit into what there is."""
    total = size(draft.leaf(*TOTAL))
    paths = [(*GROUPS, name, "budget") for name in draft.names(GROUPS)]
    budgets = {path: budget for path in paths if (budget := size(draft.leaf(*path))) is not None}
    promised = sum(budgets.values())
    if total is not None and promised > total:
        sums = " + ".join(str(budget) for budget in budgets.values())
        yield draft.error(
            "PM093",
            TOTAL,
            f"the groups are promised {sums} bytes, of {total} that there are",
            allowed=f"at least {promised} bytes, the sum of all budgets",
            mend="lower a budget, or raise `total`",
            also=budgets,
        )
