"""How many threads compute for a device."""

from __future__ import annotations

import pytest

from polyrhythm.manifest.schema import Device
from polyrhythm.runtime.partitions import partitions, workers


@pytest.mark.parametrize(
    ("driver", "uri", "cores", "count"),
    [
        ("iree", "local-sync", (0, 1), 1),
        ("iree", "local-task", (0, 1), 2),
        ("static", "local-pair", (), 2),
        ("openvino", "cpu", (), 1),
        ("onnxruntime", "cpu?option=1", (0, 1), 2),
        ("onnxruntime", "cuda:0", (0,), 0),
        ("null", "immediate", (), 0),
    ],
)
def test_threads_that_compute(driver: str, uri: str, cores: tuple[int, ...], count: int) -> None:
    assert workers(Device(driver=driver, uri=uri, cores=cores)) == count


def test_a_library_on_the_cores_of_a_device_takes_its_partition() -> None:
    mine = Device(driver="iree", uri="local-sync", cores=(0,))
    assert partitions({"a": mine, "b": Device(driver="openvino", uri="cpu", cores=(1,))}) == ["a", "b"]
    assert partitions({"a": mine, "b": Device(driver="openvino", uri="cpu", cores=(0,))}) == []
