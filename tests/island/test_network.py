"""Networks in front of the PD: what C computes against NumPy, and files that are broken."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from polyrhythm.island import Layer, RefusedError, counts_of, write_network
from polyrhythm.island.virtual import run_network

from .virtual import Bench

ACTIVATIONS = {"none": lambda x: x, "relu": lambda x: np.maximum(x, 0), "tanh": np.tanh}


def layers(rng: np.random.Generator, widths: tuple[int, ...], activation: str) -> list[Layer]:
    last = len(widths) - 2
    return [
        Layer(
            rng.normal(0, cols**-0.5, (rows, cols)).astype(np.float32),
            rng.normal(0, 0.1, rows).astype(np.float32),
            "none" if i == last else activation,
        )
        for i, (cols, rows) in enumerate(pairwise(widths))
    ]


def expected(net: list[Layer], x: np.ndarray) -> np.ndarray:
    for layer in net:
        x = ACTIVATIONS[layer.activation](layer.weight.astype(np.float64) @ x + layer.bias)
    return x


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("widths", [(5, 3), (17, 33, 2), (64, 100, 131, 7)])
def test_c_and_numpy_agree(tmp_path: Path, widths: tuple[int, ...], activation: str) -> None:
    rng = np.random.default_rng(0)
    net = layers(rng, widths, activation)
    inputs = [rng.normal(size=widths[0]).astype(np.float32) for _ in range(20)]
    for int8, tolerance in ((False, 1e-5), (True, 0.06)):
        path = tmp_path / f"{int8}.net"
        write_network(path, net, int8=int8)
        for x, out in zip(inputs, run_network(str(path), inputs, widths[-1]), strict=True):
            assert np.abs(out - expected(net, x)).max() <= tolerance


def test_zero_and_not_finite_inputs_of_an_int8_network(tmp_path: Path) -> None:
    net = layers(np.random.default_rng(0), (4, 8, 2), "relu")
    write_network(tmp_path / "n", net, int8=True)
    (out,) = run_network(str(tmp_path / "n"), [np.zeros(4)], 2)
    assert np.abs(out - expected(net, np.zeros(4))).max() < 0.01
    with pytest.raises(RefusedError, match="not finite"):
        run_network(str(tmp_path / "n"), [np.full(4, np.nan)], 2)


def test_every_broken_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "n"
    write_network(path, layers(np.random.default_rng(0), (9, 8, 2), "tanh"))
    whole = path.read_bytes()
    for size in range(0, len(whole), 7):
        path.write_bytes(whole[:size])
        with pytest.raises(RefusedError):
            run_network(str(path), [np.zeros(9)], 2)
    rng = np.random.default_rng(1)
    for _ in range(500):
        broken = bytearray(whole)
        broken[rng.integers(len(whole))] ^= 1 << rng.integers(8)
        path.write_bytes(broken)
        with pytest.raises(RefusedError):
            run_network(str(path), [np.zeros(9)], 2)
    path.write_bytes(whole)
    with pytest.raises(RefusedError, match="do not fit"):
        run_network(str(path), [np.zeros(8)], 2)
    with pytest.raises(RefusedError, match="one number for each joint"):
        run_network(str(path), [np.zeros(9)], 3)
    with pytest.raises(RefusedError, match="cannot be read"):
        run_network(str(tmp_path / "none"), [np.zeros(9)], 2)


def test_a_network_adds_to_the_reference(tmp_path: Path) -> None:
    # Of 2 errors, 2 velocities, 2 positions, 2 velocities and a sensor: half the sensor, to the hip.
    weight = np.zeros((2, 9), np.float32)
    weight[0, 8] = 0.5
    write_network(tmp_path / "n", [Layer(weight, np.zeros(2, np.float32))])
    bench = Bench(root=tmp_path, network="n", sensors=1)
    bench.sensors = [0.08]
    command = bench.step()
    assert command["torque"][:2].tolist() == [pytest.approx(20 * 0.04), 0.0]


def test_a_network_that_goes_wild_leaves_the_pd(tmp_path: Path) -> None:
    weight = np.full((2, 9), 3e38, np.float32)
    write_network(tmp_path / "n", [Layer(weight, np.zeros(2, np.float32))])
    bench = Bench(root=tmp_path, network="n", sensors=1)
    bench.sensors = [1.0]
    bench.step()
    bench.sensors = [1e30]
    bench.step(5)
    assert counts_of(bench.counts)["not_finite"] == 5
    bench.check_limits()
