"""Whether a series has a trend, judged with an interval that does not believe in independent samples.

Samples beside each other are alike (a swap every few seconds, a collection between episodes), which makes
the ordinary interval of a slope far too narrow. So the series is cut into `BATCHES` equal batches, longer
than what is alike, and each is replaced by its median, which also takes the weight from bursts. Those few
numbers are nearly independent and nearly normal: a least-squares line goes through them, and the interval
of its slope is Student's, with `BATCHES` - 2 degrees of freedom (the method of batch means: Law, Kelton,
"Simulation Modeling and Analysis", 9.5). The level, `LEVEL`, is shared by all series that are looked at
together (Bonferroni).

A trend counts if zero is outside the interval, and what it adds up to over the whole time is more than a
practical limit of the caller's: with many samples a slope of next to nothing can be distinguished, too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.stats import t as student

BATCHES = 12
LEVEL = 0.05


class Trend(NamedTuple):
    """Growth over the whole series by the slope, and the half width of its interval, in the series' unit."""

    growth: float
    half_width: float
    median: float

    @property
    def distinguishable(self) -> bool:
        """Whether zero is outside the interval."""
        return abs(self.growth) > self.half_width


def trend(values: np.ndarray, *, series: int = 1) -> Trend:
    """The trend of equidistant samples, f64 ``[n]``, n >= `BATCHES`; `series`: how many are looked at."""
    batches = np.array([np.median(batch) for batch in np.array_split(values, BATCHES)])
    steps = np.arange(BATCHES) - (BATCHES - 1) / 2
    spread = float(steps @ steps)
    slope = float(steps @ batches) / spread
    rest = batches - batches.mean() - slope * steps
    free = BATCHES - 2
    deviation = np.sqrt(float(rest @ rest) / free / spread)
    quantile = float(student.ppf(1 - LEVEL / series / 2, free))
    # Noise of rounding is no trend: a series that never changes has none.
    width = quantile * deviation + 1e-12 * float(np.abs(batches).max())
    return Trend(slope * BATCHES, width * BATCHES, float(np.median(values)))
