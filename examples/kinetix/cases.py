"""What is compared: a level and the style of the expert that the head was trained on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent

#: Episodes of the benchmark begin with the first seed, validation with the second; training uses neither.
EVALUATION_SEED, VALIDATION_SEED = 5_000_000, 4_000_000


@dataclass(frozen=True)
class Case:
    """A level, and whether its expert switches its thrusters on and off or sets them smoothly."""

    name: str
    level: str
    on_off: bool

    @property
    def weights(self) -> Path:
        """The trained head."""
        return HERE / "weights" / f"{self.name}.safetensors"


CASES = {
    case.name: case
    for case in (
        Case("lunar_lander_on_off", "lunar_lander", True),
        Case("lunar_lander_smooth", "lunar_lander", False),
        Case("cartpole_thrust_on_off", "cartpole_thrust", True),
        Case("unicycle_smooth", "unicycle", False),
    )
}
