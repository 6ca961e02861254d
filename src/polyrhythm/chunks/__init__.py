"""Action chunks on absolute control ticks: which row of which chunk answers a tick, and how chunks join.

`ChunkPlayer` and `BufferedPlayer` decide which row is due, `DelayEstimate` how many ticks pass while a chunk
is made, `guidance` how much of the new chunk is drawn toward the old one, `Motion` what is done at the edges.
Pure, on integers and NumPy.
"""

from polyrhythm.chunks.delay import DelayEstimate
from polyrhythm.chunks.motion import Boundaries, Motion
from polyrhythm.chunks.player import BufferedPlayer, ChunkPlayer, PlayerPlan

__all__ = ["Boundaries", "BufferedPlayer", "ChunkPlayer", "DelayEstimate", "Motion", "PlayerPlan"]
