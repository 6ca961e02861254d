"""The picture of the grid."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tables import METHODS, Row, find

COLOURS = dict(zip(METHODS, ("#7f7f7f", "#d62728", "#bcbd22", "#1f77b4", "#2ca02c", "#9467bd"), strict=True))


def draw(rows: Sequence[Row], path: Path) -> None:
    """Solve rate over delay at stride ``max(1, d)``, a panel for each case, with the 95 % intervals."""
    import matplotlib as mpl

    mpl.use("agg")
    mpl.rcParams["svg.hashsalt"] = "polyrhythm"
    import matplotlib.pyplot as plt

    cases = list(dict.fromkeys(r["case"] for r in rows))
    columns = len(cases) if len(cases) < 4 else 2
    lines = -(-len(cases) // columns)
    figure, axes = plt.subplots(
        lines, columns, figsize=(3.6 * columns, 2.9 * lines), sharey=True, sharex=True, squeeze=False
    )
    for axis in axes.flat[len(cases) :]:
        axis.set_visible(False)
    for axis, case in zip(axes.flat, cases, strict=False):
        for i, method in enumerate(METHODS):
            cells = [r for d in range(8) if (r := find(rows, case, method, d, max(1, d))) is not None]
            if cells:
                rate = [100 * r["rate"] for r in cells]
                below = [100 * (r["rate"] - r["low"]) for r in cells]
                above = [100 * (r["high"] - r["rate"]) for r in cells]
                axis.errorbar(
                    [r["delay"] + 0.05 * (i - 2.5) for r in cells], rate, (below, above), label=method,
                    color=COLOURS[method], marker="o", markersize=3, linewidth=1.2, elinewidth=0.8,
                )  # fmt: skip
        axis.set_title(case.replace("_", " "), fontsize=9)
        axis.set_ylim(-3, 103)
        axis.set_xticks(range(5))
        axis.grid(alpha=0.3)
        axis.set_xlabel("delay d, ticks", fontsize=8)
    for line in axes:
        line[0].set_ylabel("solved, %", fontsize=8)
    axes[0][0].legend(fontsize=7)
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    plt.close(figure)
