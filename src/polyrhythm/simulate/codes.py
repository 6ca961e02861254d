"""Every diagnostic of this room: its code and its title. Codes are never reused for another meaning."""

from __future__ import annotations

CODES: dict[str, str] = {
    "PS001": "a simulation without costs",
    "PS002": "a cost file without a bundle",
    "PS003": "an unknown fault",
    "PS004": "not a list of strikes",
    "PS005": "nothing to simulate",
    "PS006": "assertions are switched off",
    "PS007": "an island that cannot be played",
    "PS008": "machine code of other sources",
    "PS009": "bundles that cannot take turns",
    "PS010": "nothing to take turns with",
}
