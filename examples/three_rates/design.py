"""Makes the example's weights, by design and not by training: `python examples/three_rates/design.py`.

- `balance.net`, the network that the island runs in front of its PD: one layer, a linear-quadratic regulator
  of the balancer's lean and way, from the equations of motion of a pendulum on wheels;
- `follow.safetensors` (System 2): where in a depth picture to look, and what each instruction wants;
- `drive.safetensors` (System 1): wheel speeds from a motion command, and how fast they may change.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file
from scipy.linalg import solve_continuous_are

from polyrhythm.island import Layer, write_network
from polyrhythm.manifest import load_or_raise
from polyrhythm.robots.balancer.body import SENSORS, TRACK_M, WHEEL_RADIUS_M, Body
from polyrhythm.robots.balancer.robot import FOV_DEG, IMAGE, INSTRUCTIONS

HERE = Path(__file__).parent
GRAVITY = 9.81


def regulator() -> np.ndarray:
    """Gains ``[4]`` of the torque of both wheels together on way (m), lean (rad) and their rates.

    Lagrange's equations of a pendulum on wheels, linearised upright: with way x, lean a and torque u,
    ``(M + m + I_w/r^2) x'' + M l a'' = u/r`` and ``M l x'' + (I + M l^2) a'' = M g l a - u``.
    """
    model = Body().model
    trunk, wheels = 1, (2, 3)
    mass, height = float(model.body_mass[trunk]), float(model.body_ipos[trunk][2])
    # Principal moments, sorted by MuJoCo: the frame tells which is the one about the axle.
    turned = np.zeros(9)
    import mujoco

    mujoco.mju_quat2Mat(turned, model.body_iquat[trunk])
    frame = turned.reshape(3, 3)
    inertia = float((frame @ np.diag(model.body_inertia[trunk]) @ frame.T)[1, 1])
    wheel_mass = sum(float(model.body_mass[w]) for w in wheels)
    spin = sum(0.5 * float(model.body_mass[w]) * WHEEL_RADIUS_M**2 + 0.0002 for w in wheels)
    r = WHEEL_RADIUS_M
    masses = np.array(
        [
            [mass + wheel_mass + spin / r**2, mass * height],
            [mass * height, inertia + mass * height**2],
        ]
    )
    inverse = np.linalg.inv(masses)
    a, b = np.zeros((4, 4)), np.zeros((4, 1))
    a[:2, 2:] = np.eye(2)
    a[2:, 1] = inverse @ [0.0, mass * GRAVITY * height]
    b[2:, 0] = inverse @ [1 / r, -1.0]
    costs = np.diag([30.0, 60.0, 4.0, 1.0]), np.array([[30.0]])
    riccati = solve_continuous_are(a, b, *costs)
    return (np.linalg.inv(costs[1]) @ b.T @ riccati)[0]


def balance(kp: float, kd: float) -> Layer:
    """What to add to both wheels' targets so that PD and network together are the regulator.

    The PD alone keeps the wheels' difference, that is the heading.
    """
    way, lean, speed, lean_rate = regulator()
    r = WHEEL_RADIUS_M
    # u = -way (x - x_ref) - lean a - speed (x' - x_ref') - lean_rate a', with x = r (q + a), x_ref = r q_ref.
    on_error, on_speed_error = way * r, speed * r
    on_lean, on_lean_rate = -(way * r + lean), -(speed * r + lean_rate)
    row = np.zeros(8 + len(SENSORS))
    row[0:2] = (on_error / 2 - kp) / 2  # half of u to each wheel; of the mean of both errors
    row[2:4] = (on_speed_error / 2 - kd) / 2
    row[6:8] = -(on_speed_error / 2 - kd) / 2
    row[8 + SENSORS.index("pitch")] = on_lean / 2
    row[8 + SENSORS.index("pitch_rate")] = on_lean_rate / 2
    return Layer(np.tile(row / kp, (2, 1)).astype(np.float32), np.zeros(2, np.float32))


def follow() -> dict[str, np.ndarray]:
    """System 2: rows of the picture to look at, columns' bearings, and for each instruction what it wants."""
    size = IMAGE
    rows = np.zeros(size, np.float32)
    rows[size // 2 - 2 : size // 2] = 0.5  # just above the horizon, where no floor is
    reach = math.tan(math.radians(FOV_DEG) / 2)
    bearing = -np.arctan(((np.arange(size) + 0.5) / size * 2 - 1) * reach).astype(np.float32)
    limits = np.array([0.35, 1.0], np.float32)  # m/s, rad/s
    # By instruction: gain on the distance (1/s), the distance wanted (m), gain on the bearing (1/s).
    wants = {"wait": (0.0, 0.0, 0.0), "follow": (0.8, 1.0, 1.5), "retreat": (0.8, 1.6, 1.5)}
    table = np.array([wants[word] for word in INSTRUCTIONS], np.float32)
    return {"rows": rows, "bearing": bearing, "wants": table, "limits": limits}


def drive() -> dict[str, np.ndarray]:
    """System 1: wheel speeds (rad/s) of a motion command, their largest change a second, the largest lead."""
    r, half = WHEEL_RADIUS_M, TRACK_M / 2
    mix = np.array([[1 / r, -half / r], [1 / r, half / r]], np.float32)
    return {"mix": mix, "change": np.float32(8.0)[None], "lead": np.float32(3.0)[None]}


def main() -> None:
    """Write all three."""
    joint = next(iter(load_or_raise(HERE / "manifest.yaml").island.joints.values()))
    write_network(HERE / "balance.net", [balance(joint.kp, joint.kd)])
    (HERE / "weights").mkdir(exist_ok=True)
    save_file(follow(), HERE / "weights" / "follow.safetensors")
    save_file(drive(), HERE / "weights" / "drive.safetensors")
    print("regulator:", regulator())


if __name__ == "__main__":
    main()
