"""Opening a bundle: what is wrong is told before anything runs, all at once."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from polyrhythm.bundle import (
    CODES,
    BundleError,
    Cpu,
    LockedMachineCode,
    LockedPlan,
    StaticCode,
    Tensor,
    machine_code,
    open_bundle,
    read_lock,
    relock,
    static_code,
    write_lock,
)
from polyrhythm.bundle import cpu as cpu_module
from polyrhythm.bundle.atomic import NewFile
from polyrhythm.bundle.open import STATIC_DRIVERS

from .conftest import MANIFEST, lock_of

Told = Callable[[Path], str]


def test_a_good_bundle(bundle: Path) -> None:
    found = open_bundle(bundle)
    assert found.root == bundle.resolve()
    assert found.diagnostics == ()
    entry = found.module("vlm.vmfb").entries["encode"]
    assert entry.inputs == (Tensor("depth", "f32", (4, 4)),)
    assert entry.outputs == (Tensor("hidden", "f32", (2, 3)),)
    assert (entry.scratch_bytes, entry.consumed) == (128, frozenset())
    assert found.module("dit.vmfb").entries["main"].consumed == {"hidden"}
    assert found.module("vlm.vmfb").operation_count == 3
    vlm, dit = found.manifest.orchestration.modules
    assert found.parameters(vlm) == (bundle.resolve() / "vlm.safetensors",)
    assert found.parameters(dit) == ()
    assert found.artefacts == {"dit.vmfb": bundle.resolve() / "dit.vmfb"}
    assert found.missing_artefacts == ("vlm.vmfb",)
    with pytest.raises(KeyError, match=r"there are dit\.vmfb, vlm\.vmfb"):
        found.module("x.vmfb")


def test_parameters_of_the_lock_if_the_manifest_names_none(bundle: Path) -> None:
    (bundle / "manifest.yaml").write_text(MANIFEST.replace("parameters: vlm.safetensors, ", ""))
    write_lock(lock_of(bundle), bundle)
    found = open_bundle(bundle)
    assert found.parameters(found.manifest.orchestration.modules[0]) == (
        bundle.resolve() / "vlm.safetensors",
    )


def test_what_was_made_here_is_what_its_name_says(bundle: Path, tmp_path: Path) -> None:
    found, content = open_bundle(bundle), b"code"
    file = tmp_path / f"{sha256(content).hexdigest()}.vmfb"
    file.write_bytes(content)
    assert found.digest(file) == file.stem
    file.write_bytes(b"edoc")
    with pytest.raises(BundleError, match="PB007"):
        found.digest(file)
    file.unlink()
    with pytest.raises(BundleError, match="PB011"):
        found.digest(file)


def test_moved_and_by_another_name(bundle: Path, tmp_path: Path) -> None:
    shutil.copytree(bundle, tmp_path / "elsewhere" / "copy")
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere" / "copy")
    assert open_bundle(tmp_path / "link").root == (tmp_path / "elsewhere" / "copy").resolve()


def test_with_links_of_its_own_inside(bundle: Path) -> None:
    (bundle / "vlm.safetensors").rename(bundle / "weights.safetensors")
    (bundle / "vlm.safetensors").symlink_to("weights.safetensors")
    write_lock(lock_of(bundle), bundle)
    open_bundle(bundle)


def test_code_made_here_gives_its_own_scratch(bundle: Path) -> None:
    sha256 = read_lock(bundle).files["vlm.mlir"].sha256
    code = machine_code.store(sha256, b"made here", flags=[], scratch_bytes={"encode": 4096})
    found = open_bundle(bundle)
    assert found.artefacts["vlm.vmfb"] == code.path
    assert found.module("vlm.vmfb").entries["encode"].scratch_bytes == 4096
    code.path.write_bytes(b"made herE")
    assert open_bundle(bundle).missing_artefacts == ("vlm.vmfb",)


DEVICES = "devices: { cpu: { driver: iree }, fast: { driver: DRIVER } }\n"
ON_PLANS = DEVICES + MANIFEST.replace("rate_hz: 3 }", "rate_hz: 3, device: fast }")
ISLAND = """\
robot: { use: arm, control_hz: 50, action: { dtype: f32, shape: [1] } }
island:
  policy: { vmfb: vlm.vmfb }
  joints: { knee: { velocity: 40, torque: 1, torque_rate: 200, kp: 1, kd: 0.05 } }
"""
AGAIN = "  - { id: again, vmfb: vlm.vmfb, parameters: vlm.safetensors, rate_hz: 1 }\n  links:\n"


@pytest.mark.parametrize("driver", STATIC_DRIVERS)
def test_what_runs_on_static_plans_alone_needs_no_machine_code(driver: str, bundle: Path) -> None:
    (bundle / "manifest.yaml").write_text(ON_PLANS.replace("DRIVER", driver))
    found = relock(bundle)
    assert (found.missing_artefacts, found.missing_plans) == ((), ("vlm.vmfb",))
    (bundle / "manifest.yaml").write_text(ON_PLANS.replace("DRIVER", driver).replace("  links:\n", AGAIN))
    found = relock(bundle)  # another module loads it as it is
    assert (found.missing_artefacts, found.missing_plans) == (("vlm.vmfb",), ("vlm.vmfb",))


def with_plan(root: Path, kind: str = "plan", arch: str = "x86_64", compiler: str | None = None) -> None:
    """Give the bundle a plan of its first module."""
    made_by = machine_code.compiler_version() if compiler is None else compiler
    needs = LockedMachineCode(arch=arch, cpu="x86-64-v3", features=["avx2"])
    plan = LockedPlan(
        file="vlm.plan", compiler=made_by, machine_code=needs, scratch_bytes={"encode": 64},
        refused={"loop": "cf.cond_br: no"}, state_bytes=9,
    )  # fmt: skip
    for name in plan.files:
        (root / name).write_bytes(name.encode())
    lock = lock_of(root)
    vlm = lock.modules["vlm.vmfb"].model_copy(update={kind: plan})
    write_lock(lock.model_copy(update={"modules": lock.modules | {"vlm.vmfb": vlm}}), root)


@pytest.fixture
def planned(bundle: Path) -> Path:
    """The bundle with its first module on a static device."""
    (bundle / "manifest.yaml").write_text(ON_PLANS.replace("DRIVER", "static"))
    return bundle


def test_the_bundle_brings_its_plan(planned: Path, x86: None) -> None:
    with_plan(planned)
    found = open_bundle(planned)
    root = planned.resolve()
    own = StaticCode(
        root / "vlm.plan", root / "vlm.so", {"encode": 64}, {"loop": "cf.cond_br: no"}, state_bytes=9
    )
    assert (found.plans, found.missing, found.diagnostics) == ({"vlm.vmfb": own}, (), ())
    assert found.running(found.manifest.orchestration.modules[0]).loaded_bytes == 9
    (planned / "vlm.work.json").write_bytes(b"vlm.work.jsoN")
    with pytest.raises(BundleError, match="PB007"):
        open_bundle(planned)


@pytest.mark.parametrize("suffix", [".plan", ".so", ".work.json"])
def test_what_of_a_plan_has_changed_since_is_not_loaded(planned: Path, x86: None, suffix: str) -> None:
    with_plan(planned)
    found = open_bundle(planned)
    module = found.manifest.orchestration.modules[0]
    names = ("vlm.plan", "vlm.so", "vlm.work.json")
    assert found.code_digests(module) == tuple(found.lock.files[name].sha256 for name in names)
    (planned / f"vlm{suffix}").write_text("another")
    with pytest.raises(BundleError, match=rf"vlm{suffix}: error PB00[67]"):
        found.code_digests(module)


def test_the_bundle_brings_the_plan_of_the_islands_policy(bundle: Path, x86: None) -> None:
    (bundle / "manifest.yaml").write_text(ISLAND + MANIFEST)
    with_plan(bundle, "island_plan")
    found = open_bundle(bundle)
    assert found.policy is not None and found.policy.path == bundle.resolve() / "vlm.plan"
    assert found.missing_policy is None and found.missing_artefacts == ("vlm.vmfb",)


UNLIKE = {"arch": {"arch": "riscv64"}, "compiler": {"compiler": "2.9.0"}}


@pytest.mark.parametrize("unlike", UNLIKE.values(), ids=UNLIKE)
def test_a_plan_that_does_not_run_here_is_a_note(
    unlike: dict[str, str],
    planned: Path,
    x86: None,
    snapshot: SnapshotAssertion,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("polyrhythm.bundle.fit.compiler_version", lambda: "3.13.0")
    with_plan(planned, **unlike)
    found = open_bundle(planned)
    assert found.missing_plans == ("vlm.vmfb",)
    (note,) = found.diagnostics
    assert note.render().replace(str(planned.resolve()), "BUNDLE") == snapshot
    sha256 = found.lock.files["vlm.mlir"].sha256
    made = static_code.store(sha256, b"p", b"k", b"w", scratch_bytes={}, refused={}, state_bytes=0)
    assert open_bundle(planned).plans == {"vlm.vmfb": made}  # made here earlier


def test_a_plan_for_a_cpu_with_more_features(
    planned: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setattr(cpu_module, "host", lambda: Cpu("x86_64", "test", frozenset({"avx"})))
    with_plan(planned)
    (note,) = open_bundle(planned).diagnostics
    assert note.render().replace(str(planned.resolve()), "BUNDLE") == snapshot


def test_a_plan_needs_a_source_beside_it(planned: Path) -> None:
    with_plan(planned)
    lock = json.loads((planned / "bundle.lock").read_text())
    lock["modules"]["vlm.vmfb"]["source"] = None
    (planned / "bundle.lock").write_text(json.dumps(lock))
    with pytest.raises(BundleError, match="has a static plan and no source"):
        open_bundle(planned)


def test_what_no_module_uses_is_not_missing(bundle: Path) -> None:
    (bundle / "manifest.yaml").write_text(
        "orchestration: { modules: [{ id: dit, vmfb: dit.vmfb, rate_hz: 10 }] }\n"
    )
    assert relock(bundle).missing == ()


def test_an_edited_manifest_is_taken_over(bundle: Path) -> None:
    (bundle / "manifest.yaml").write_text(MANIFEST.replace("rate_hz: 3", "rate_hz: 4"))
    with pytest.raises(BundleError, match="PB007"):
        open_bundle(bundle)
    assert relock(bundle).manifest.orchestration.modules[0].rate_hz == 4
    before, after = MANIFEST.split("  links:\n")
    (bundle / "manifest.yaml").write_text(before)
    (bundle / "link.yaml").write_text("links:\n" + after)
    relock(bundle)
    (bundle / "link.yaml").unlink()
    relock(bundle)
    assert open_bundle(bundle).lock.files.keys() == lock_of(bundle).files.keys()


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [("vlm.mlir", "changed", "PB006"), ("manifest.yaml", "a: 1", "PM020"), ("new.txt", "", "PB008")],
)
def test_nothing_else_is_taken_over(name: str, content: str, code: str, bundle: Path) -> None:
    before = (bundle / "bundle.lock").read_bytes()
    (bundle / name).write_text(content)
    with pytest.raises(BundleError, match=code):
        relock(bundle)
    assert (bundle / "bundle.lock").read_bytes() == before


# -- every code, and its text --------------------------------------------------------------------------------


def _no_directory(root: Path) -> None:
    shutil.rmtree(root)


def _a_file(root: Path) -> None:
    shutil.rmtree(root)
    root.write_text("")


def _no_lock(root: Path) -> None:
    (root / "bundle.lock").unlink()


def _lock_not_json(root: Path) -> None:
    (root / "bundle.lock").write_text('{"format": ')


def _lock_of_something_else(root: Path) -> None:
    (root / "bundle.lock").write_text("[]")


def _lock_damaged(root: Path) -> None:
    data = json.loads((root / "bundle.lock").read_text())
    data["modules"]["vlm.vmfb"]["entries"]["encode"]["scratch_bytes"] = -1
    del data["files"]["manifest.yaml"]["sha256"]
    (root / "bundle.lock").write_text(json.dumps(data))


def _lock_incomplete(root: Path) -> None:
    data = json.loads((root / "bundle.lock").read_text())
    del data["files"]["vlm.mlir"]
    (root / "bundle.lock").write_text(json.dumps(data))


def _lock_too_large(root: Path) -> None:
    with (root / "bundle.lock").open("ab") as stream:
        stream.truncate(20 << 20)


def _lock_of_a_later_version(root: Path) -> None:
    data = json.loads((root / "bundle.lock").read_text())
    (root / "bundle.lock").write_text(json.dumps(data | {"version": 2, "new": 1}))


def _missing(root: Path) -> None:
    (root / "vlm.safetensors").unlink()


def _manifest_missing(root: Path) -> None:
    (root / "manifest.yaml").unlink()


def _truncated(root: Path) -> None:
    os.truncate(root / "vlm.safetensors", 255)


def _changed(root: Path) -> None:
    content = bytearray((root / "dit.vmfb").read_bytes())
    content[3] ^= 1
    (root / "dit.vmfb").write_bytes(content)


def _longer(root: Path) -> None:
    with (root / "vlm.mlir").open("a") as stream:
        stream.write("\n")


def _foreign(root: Path) -> None:
    (root / "deeper").mkdir()
    (root / "deeper" / "other.vmfb").write_bytes(b"?")


def _link_out(root: Path) -> None:
    (root.parent / "outside.safetensors").write_bytes(bytes(range(256)))
    (root / "vlm.safetensors").unlink()
    (root / "vlm.safetensors").symlink_to("../outside.safetensors")


def _directory_link_out(root: Path) -> None:
    (root / "deeper").symlink_to("/etc")


def _manifest_link_out(root: Path) -> None:
    (root / "manifest.yaml").rename(root.parent / "manifest.yaml")
    (root / "manifest.yaml").symlink_to("../manifest.yaml")


def _links_link_out(root: Path) -> None:
    (root.parent / "passwords").write_text("password: hunter2\n")
    (root / "link.yaml").symlink_to("../passwords")


def _texts_link_out(root: Path) -> None:
    _manifest_link_out(root)
    _links_link_out(root)


def _lock_names_outside(root: Path) -> None:
    data = json.loads((root / "bundle.lock").read_text())
    for name in ("../outside", "/etc/passwd", "a/../../b", "a//b", "."):
        data["files"][name] = {"bytes": 1, "sha256": "0" * 64}
    (root / "bundle.lock").write_text(json.dumps(data))


def _a_pipe_for_a_lock(root: Path) -> None:
    (root / "bundle.lock").unlink()
    os.mkfifo(root / "bundle.lock")


def _a_pipe_for_a_manifest(root: Path) -> None:
    (root / "manifest.yaml").unlink()
    os.mkfifo(root / "manifest.yaml")


def _not_regular(root: Path) -> None:
    (root / "vlm.safetensors").unlink()
    os.mkfifo(root / "vlm.safetensors")
    (root / "hanging").symlink_to("nowhere")


def _not_utf_8(root: Path) -> None:
    (root / os.fsdecode(b"caf\xe9")).touch()


def _directory_for_a_file(root: Path) -> None:
    (root / "vlm.mlir").unlink()
    (root / "vlm.mlir").mkdir()


def _machine_code(root: Path, arch: str, *features: str) -> None:
    lock = lock_of(root)
    needs = LockedMachineCode(arch=arch, cpu="x86-64-v9", features=list(features))
    module = lock.modules["dit.vmfb"].model_copy(update={"machine_code": needs})
    write_lock(lock.model_copy(update={"modules": lock.modules | {"dit.vmfb": module}}), root)


def _other_arch(root: Path) -> None:
    _machine_code(root, "riscv64", "v")


def _other_cpu(root: Path) -> None:
    _machine_code(root, "x86_64", "avx2", "avx9000", "amx_fp6")


def _unknown_module(root: Path) -> None:
    (root / "manifest.yaml").write_text(MANIFEST.replace("vmfb: vlm.vmfb", "vmfb: vlmm.vmfb"))
    write_lock(lock_of(root), root)


def _other_parameters(root: Path) -> None:
    (root / "manifest.yaml").write_text(MANIFEST.replace("vlm.safetensors", "[other.safetensors]"))
    (root / "other.safetensors").write_bytes(b"?")
    write_lock(lock_of(root), root)


def _everything_at_once(root: Path) -> None:
    _missing(root)
    _changed(root)
    _foreign(root)
    (root / "manifest.yaml").write_text(MANIFEST.replace("rate_hz: 10", "rate_hz: -10"))


CASES = {
    _no_directory: {"PB001"},
    _a_file: {"PB001"},
    _no_lock: {"PB002"},
    _lock_not_json: {"PB003"},
    _lock_of_something_else: {"PB003"},
    _lock_damaged: {"PB003"},
    _lock_incomplete: {"PB003"},
    _lock_too_large: {"PB003"},
    _lock_of_a_later_version: {"PB004"},
    _missing: {"PB005"},
    _manifest_missing: {"PB005"},
    _truncated: {"PB006"},
    _changed: {"PB007"},
    _longer: {"PB007"},
    _foreign: {"PB008"},
    _link_out: {"PB009"},
    _directory_link_out: {"PB009"},
    _manifest_link_out: {"PB009"},
    _links_link_out: {"PB009"},
    _texts_link_out: {"PB009"},
    _lock_names_outside: {"PB009"},
    _a_pipe_for_a_lock: {"PB003"},
    _a_pipe_for_a_manifest: {"PB010"},
    _not_regular: {"PB010"},
    _not_utf_8: {"PB016"},
    _directory_for_a_file: {"PB005"},
    _other_arch: {"PB012"},
    _other_cpu: {"PB013"},
    _unknown_module: {"PB014"},
    _other_parameters: {"PB015"},
    _everything_at_once: {"PB005", "PB007", "PB008", "PM024"},
}


@pytest.fixture
def x86(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same CPU everywhere, for texts that name it."""
    monkeypatch.setattr(cpu_module, "host", lambda: Cpu("x86_64", "test", frozenset({"avx", "avx2"})))


@pytest.mark.parametrize("spoil", CASES, ids=lambda case: case.__name__.strip("_"))
def test_what_is_wrong_is_told(
    spoil: Callable[[Path], None], bundle: Path, told: Told, snapshot: SnapshotAssertion, x86: None
) -> None:
    if "other" not in spoil.__name__:
        _machine_code(bundle, "x86_64")
    spoil(bundle)
    text = told(bundle)
    assert text == snapshot
    codes = {word.rstrip(":") for word in text.split() if word.startswith(("PB0", "PM0"))}
    assert codes == CASES[spoil]


def test_a_file_that_cannot_be_read(
    bundle: Path, monkeypatch: pytest.MonkeyPatch, told: Told, snapshot: SnapshotAssertion
) -> None:
    # Root may read everything, so rights don't help here.
    def refuse(path: Path) -> str:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("polyrhythm.bundle.files.digest", refuse)
    assert told(bundle) == snapshot


def refused(monkeypatch: pytest.MonkeyPatch, call: str, name: str, error: OSError) -> None:
    """From now on that call of `Path` fails for a file of that name."""
    real = getattr(Path, call)

    def late(self: Path, *args: object, **options: object) -> object:
        if self.name == name:
            raise error
        return real(self, *args, **options)

    monkeypatch.setattr(Path, call, late)


def test_a_file_in_a_directory_that_is_closed_to_us(
    bundle: Path, monkeypatch: pytest.MonkeyPatch, told: Told, snapshot: SnapshotAssertion
) -> None:
    """One without `x`, so that there are names in it and nothing more."""
    (bundle / "deeper").mkdir()
    (bundle / "deeper" / "more.bin").touch()
    write_lock(lock_of(bundle), bundle)
    refused(monkeypatch, "lstat", "more.bin", PermissionError(13, "Permission denied"))
    assert told(bundle) == snapshot


def test_a_file_that_vanishes_while_the_bundle_is_opened(
    bundle: Path, monkeypatch: pytest.MonkeyPatch, told: Told
) -> None:
    (bundle / "deeper").mkdir()
    (bundle / "passing").touch()
    for call, name in (("lstat", "passing"), ("iterdir", "deeper")):
        refused(monkeypatch, call, name, FileNotFoundError(2, "No such file or directory"))
    open_bundle(bundle)
    refused(monkeypatch, "lstat", "dit.vmfb", FileNotFoundError(2, "No such file or directory"))
    assert told(bundle).startswith("TMP/bundle/dit.vmfb: error PB005: the file is missing")


def test_a_lock_that_is_being_written_is_no_file_of_the_bundle(bundle: Path, told: Told) -> None:
    new = NewFile(bundle / "bundle.lock")
    new.file.close()
    open_bundle(bundle)
    new.discard()
    (bundle / ".new-0").touch()
    assert "TMP/bundle/.new-0: error PB008" in told(bundle)


def test_a_manifest_that_cannot_be_read_is_not_taken_over(
    bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (bundle / "bundle.lock").read_bytes()
    refused(monkeypatch, "open", "manifest.yaml", PermissionError(13, "Permission denied"))
    (bundle / "manifest.yaml").touch()  # it is to be read again
    with pytest.raises(BundleError, match=r"manifest.yaml: error PB011: .*: Permission denied"):
        relock(bundle)
    assert (bundle / "bundle.lock").read_bytes() == before


def test_every_code_is_tested() -> None:
    tested = set().union(*CASES.values()) | {"PB011", "PB020", "PB021"}
    assert tested - {"PM024"} == set(CODES)


def test_code_for_another_cpu_beside_a_source_is_a_note(
    bundle: Path, x86: None, snapshot: SnapshotAssertion
) -> None:
    lock = lock_of(bundle)
    needs = LockedMachineCode(arch="x86_64", cpu="znver5", features=["avx2", "avx512f"])
    (bundle / "vlm.vmfb").write_bytes(b"for another")
    vlm = lock.modules["vlm.vmfb"].model_copy(update={"machine_code": needs})
    dit = lock.modules["dit.vmfb"].model_copy(
        update={"machine_code": LockedMachineCode(arch="x86_64", cpu="any")}
    )
    files = lock_of(bundle).files
    write_lock(
        lock.model_copy(update={"files": files, "modules": {"vlm.vmfb": vlm, "dit.vmfb": dit}}), bundle
    )
    found = open_bundle(bundle)
    assert found.missing_artefacts == ("vlm.vmfb",)
    assert found.diagnostics[0].render().replace(str(bundle.resolve()), "BUNDLE") == snapshot


def test_an_error_carries_the_bundle_as_far_as_it_goes(bundle: Path) -> None:
    """Tools that look for more mistakes (signatures, links) can go on."""
    (bundle / "manifest.yaml").write_text(MANIFEST.replace("rate_hz: 3", "rate_hz: 4"))
    with pytest.raises(BundleError) as caught:
        open_bundle(bundle)
    assert [found.code for found in caught.value.diagnostics] == ["PB007"]
    assert caught.value.bundle.manifest.orchestration.modules[0].rate_hz == 4


def test_any_flipped_bit_is_found(bundle: Path) -> None:
    rng = random.Random(0)
    for name in ("manifest.yaml", "vlm.mlir", "vlm.safetensors", "dit.vmfb"):
        original = (bundle / name).read_bytes()
        for _ in range(8):
            content = bytearray(original)
            content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
            (bundle / name).write_bytes(content)
            with pytest.raises(BundleError) as caught:
                open_bundle(bundle)
            assert "PB007" in {found.code for found in caught.value.diagnostics}
        (bundle / name).write_bytes(original)
    open_bundle(bundle)


def test_links_in_a_circle(bundle: Path) -> None:
    (bundle / "manifest.yaml").unlink()
    (bundle / "manifest.yaml").symlink_to("manifest.yaml")
    with pytest.raises(BundleError) as caught:
        open_bundle(bundle)
    assert "PB010" in {diagnostic.code for diagnostic in caught.value.diagnostics}
