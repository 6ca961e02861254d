"""Polyrhythm: several robot models at several rates on one machine.

A YAML manifest declares models, rates and links; ``polyrhythm check`` proves that the piece can be
played; ``polyrhythm run`` plays it from ahead-of-time compiled modules.
"""

__version__ = "0.1.0"
