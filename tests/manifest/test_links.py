"""Links in the manifest, in ``link.yaml``, or in both; circles."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyrhythm.manifest import Loaded, load, loads

from .bad import MODULES, ROBOT, links
from .texts import SPECIFICATION

ONE = "links:\n- { from: vlm.hidden, to: dit.condition }\n"


def codes(loaded: Loaded) -> list[str]:
    return [diagnostic.code for diagnostic in loaded.diagnostics]


def ends(loaded: Loaded) -> list[tuple[str, str]]:
    assert loaded.manifest is not None, loaded.diagnostics
    return [(str(link.source), str(link.sink)) for link in loaded.manifest.orchestration.links]


@pytest.mark.parametrize("has_both", [False, True])
def test_links_of_both_files_count(tmp_path: Path, has_both: bool) -> None:
    inline = links("from: vlm.pooled, to: dit.pooled") if has_both else MODULES
    (tmp_path / "manifest.yaml").write_text(inline)
    (tmp_path / "link.yaml").write_text(ONE)
    loaded = load(tmp_path)
    first = [("vlm.pooled", "dit.pooled")] if has_both else []
    assert ends(loaded) == [*first, ("vlm.hidden", "dit.condition")]
    place = loaded.locate(("orchestration", "links", len(first), "to"))
    assert place.file == str(tmp_path / "link.yaml")
    assert (place.line, place.column, place.path) == (2, 27, "links[0].to")


def test_problems_in_the_link_file_are_found_there() -> None:
    loaded = loads(
        SPECIFICATION, links="links:\n- { from: vlm.hidden, to: dit.condition }\n- { from: vml.x }\n"
    )
    found = [(problem.code, problem.where.file, problem.where.line) for problem in loaded.errors]
    assert found == [("PM046", "link.yaml", 2), ("PM021", "link.yaml", 3), ("PM042", "link.yaml", 3)]
    (first,) = loaded.errors[0].also
    assert (first.file, first.line) == ("manifest.yaml", 13)
    assert loaded.errors[1].where.path == "links[1].to"
    assert loaded.errors[1].message == "`to` is missing in `links[1]`"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["PM022"]),
        ("links:\n", ["PM022"]),
        ("links: 3\n", ["PM022"]),
        ("- { from: vlm.hidden, to: dit.condition }\n", ["PM022"]),
        ("link: []\n", ["PM020", "PM022"]),
        (ONE + "qos: {}\n", ["PM020"]),
        ("links: [\n", ["PM006"]),
        (ONE + ONE, ["PM012"]),
        ("links: !a []\n", ["PM010"]),
        ("links: *a\n", ["PM009"]),
    ],
)
def test_a_broken_link_file_is_one_problem(text: str, expected: list[str]) -> None:
    # The observation would be unused if the links that cannot be read did not exist.
    manifest = (
        ROBOT + links("from: robot.proprio, to: dit.state") if text.startswith(ONE) else ROBOT + MODULES
    )
    loaded = loads(manifest, links=text)
    assert codes(loaded) == expected
    assert {problem.where.file for problem in loaded.diagnostics} == {"link.yaml"}
    assert loaded.manifest is None


def test_a_broken_manifest_and_a_broken_link_file_are_both_reported() -> None:
    loaded = loads("modules: [", links="links: [")
    assert [(problem.code, problem.where.file) for problem in loaded.diagnostics] == [
        ("PM006", "manifest.yaml"),
        ("PM006", "link.yaml"),
    ]


def sequential(*items: str) -> Loaded:
    text = MODULES.replace("  modules:", "  mode: sequential\n  modules:")
    return loads(links(*items, before=text + "  - { id: ear, vmfb: ear.vmfb, rate_hz: 1 }\n"))


def test_modules_in_order_are_no_circle() -> None:
    loaded = sequential("from: vlm.a, to: dit.a", "from: vlm.b, to: ear.b", "from: ear.c, to: dit.c")
    assert codes(loaded) == []


@pytest.mark.parametrize(
    ("items", "circles"),
    [
        (["from: vlm.a, to: vlm.b"], 1),
        (["from: vlm.a, to: dit.a", "from: dit.b, to: ear.b", "from: ear.c, to: vlm.c"], 1),
        (["from: vlm.a, to: dit.a", "from: dit.b, to: vlm.b", "from: ear.c, to: ear.d"], 2),
    ],
)
def test_every_circle_is_named(items: list[str], circles: int) -> None:
    loaded = sequential(*items)
    assert codes(loaded) == ["PM051"] * circles
    for problem in loaded.diagnostics:
        names = problem.message.split(": ")[1].split(" -> ")
        assert names[0] == names[-1]


def test_a_circle_never_starts_in_any_mode() -> None:
    assert codes(loads(links("from: vlm.a, to: dit.a", "from: dit.b, to: vlm.b"))) == ["PM051"]


def test_the_robot_closes_no_circle() -> None:
    text = ROBOT + MODULES.replace("  modules:", "  mode: sequential\n  modules:")
    ring = ["from: robot.proprio, to: dit.state", "from: dit.actions, to: robot.action"]
    assert codes(loads(links(*ring, before=text))) == []
