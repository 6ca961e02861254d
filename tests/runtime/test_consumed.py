"""What a stage may write over while somebody still needs it is refused; what nobody needs any more is not."""

from __future__ import annotations

import pytest

from polyrhythm.bundle import LockedEntry, LockedMachineCode, LockedModule, host
from polyrhythm.bundle.lock import LockedTensor
from polyrhythm.runtime import check
from tests.cli.bundles import make_bundle
from tests.runtime.said import rendered

MANIFEST = """\
robot:
  use: gymnasium
  control_hz: 50
  observations: { joints: { dtype: f32, shape: [4] } }
  action: { dtype: f32, shape: [4] }
devices:
  cpu: { driver: "null", uri: immediate }
orchestration:
  modules:
  - { id: eye, vmfb: eye.vmfb, rate_hz: 5, cost_ms: 1 }
  - { id: head, vmfb: head.vmfb, rate_hz: 50, cost_ms: [1, 1, 1], entry: [begin, step, end]STEPS }
  - { id: log, vmfb: log.vmfb, rate_hz: 5, cost_ms: 1 }
  links:
  - { from: robot.joints, to: eye.joints }
  - { from: eye.hidden, to: head.hidden }
  - { from: runtime.noise, to: head.noise }
  - { from: head.told, to: log.told }
  - { from: head.action, to: robot.action }
"""
DT = "  - { from: runtime.dt, to: head.dt }\n"

#: name -> (what is consumed, by entry; what the manifest has more).
NEEDED = {
    "link from the robot": ({"look": ["joints"]}, ""),
    "link from a module": ({"begin": ["hidden"]}, ""),
    "a later stage": ({"begin": ["noise"]}, ""),
    "a later stage of what an earlier one made": ({"step": ["inner"]}, ""),
    "the next step": ({"step": ["seen", "mood"]}, DT),
    "an output": ({"end": ["told"]}, ""),
    "state": ({"begin": ["kept"], "step": ["kept"]}, ""),
}
#: Of these, nobody needs what is consumed.
FREE = {
    "state that is given back": ({"begin": ["kept"]}, ""),
    "noise by the last to read it": ({"step": ["noise"]}, ""),
    "what an earlier stage made, by the last to read it": ({"end": ["inner", "felt"]}, ""),
    "a step whose time step is its own": ({"step": ["mood"]}, ""),
}


def bundle(tmp_path, consumed, more):
    def entry(name, inputs, outputs):
        inputs, outputs = (
            [LockedTensor(name=n, dtype="f32", shape=[] if n == "dt" else [4]) for n in names.split()]
            for names in (inputs, outputs)
        )
        return LockedEntry(inputs=inputs, outputs=outputs, consumed=consumed.get(name, []))

    kept = " kept" * ("kept" in consumed.get("begin", ()))
    entries = {
        "eye.vmfb": {"look": entry("look", "joints", "hidden")},
        "log.vmfb": {"write": entry("write", "told", "line")},
        "head.vmfb": {
            "begin": entry("begin", "hidden noise" + kept, "inner seen mood" + kept),
            "step": entry("step", "inner noise seen mood" + kept + " dt" * (more == DT), "x felt told"),
            "end": entry("end", "inner x felt told", "action"),
        },
    }
    code = LockedMachineCode(arch=host().arch, cpu="generic")
    found = {
        name: LockedModule(machine_code=code, loaded_bytes=0, entries=mine) for name, mine in entries.items()
    }
    text = MANIFEST.replace("STEPS", ", steps: { full: 3, fast: 1 }" if more == DT else "") + more
    return make_bundle(tmp_path / "bundle", text, found)


def told(tmp_path, case):
    checked = check(bundle(tmp_path, *case))
    return checked, [d for d in checked.diagnostics if d.code == "PC023"]


@pytest.mark.parametrize("name", NEEDED)
def test_what_somebody_still_needs_is_not_written_over(name, tmp_path, snapshot):
    checked, found = told(tmp_path, NEEDED[name])
    assert checked.plan is None and found
    assert rendered(found, tmp_path) == snapshot


@pytest.mark.parametrize("name", FREE)
def test_what_nobody_needs_any_more_may_be(name, tmp_path):
    checked, found = told(tmp_path, FREE[name])
    assert checked.plan is not None and found == []
