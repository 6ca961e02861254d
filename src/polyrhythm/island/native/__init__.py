"""The C sources of the island, compiled at first use (see `polyrhythm.island.build`)."""
