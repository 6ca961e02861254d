"""Action chunks on absolute control ticks: which row of which chunk answers a tick."""

from polyrhythm.chunks.player import ChunkPlayer

__all__ = ["ChunkPlayer"]
