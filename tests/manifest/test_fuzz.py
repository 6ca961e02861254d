"""Whatever the text is, the answer is a manifest or diagnostics; never an exception, never without bound."""

from __future__ import annotations

import json
from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from polyrhythm.manifest import Loaded, Manifest, loads, render_all
from polyrhythm.manifest.source import MAX_PROBLEMS
from tests.effort import examples

from .texts import FULL, SPECIFICATION, TEN_MISTAKES

TEXTS = [FULL, SPECIFICATION, TEN_MISTAKES]
_WORDS = """
    robot orchestration modules links id vmfb rate_hz from to qos devices cpu vlm dit vlm.hidden dit.x class
    robot.action mode sequential entry cost_ms rtc observations shape dtype f32 control_hz use action options
    max_age_ms on_stale
"""
_SIGNS = """
    &a *a !!int - : { } [ ] ' " # | > % @ ? \\ null true -1 .nan 1e400 0x 1/0
"""
WORDS = st.sampled_from(_WORDS.split())
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | WORDS
    | st.text(max_size=8)
    | st.binary(max_size=3)
)
TREES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(WORDS | st.text(max_size=4), inner, max_size=5)
    ),
    max_leaves=30,
)
JUNK = st.sampled_from(
    ["\t", "\n", "  ", ": ", "- ", "---\n", "\x00", "\x85", "\u2028", "\ud800", "9" * 5000, *_SIGNS.split()]
)


def judged(loaded: Loaded) -> None:
    """The promises that hold for every text."""
    has_error = any(diagnostic.is_error for diagnostic in loaded.diagnostics)
    assert isinstance(loaded.manifest, Manifest) is not has_error
    assert len(loaded.diagnostics) <= MAX_PROBLEMS + 1
    render_all(loaded.diagnostics).encode()
    json.dumps([diagnostic.to_dict() for diagnostic in loaded.diagnostics], allow_nan=False)
    for diagnostic in loaded.diagnostics:
        assert diagnostic.mend
        assert len(diagnostic.render()) < 5000
        assert loaded.locate(("orchestration", "links", 0, "to")).file


@examples(25)
@given(st.binary(max_size=200))
def test_any_bytes(content: bytes) -> None:
    judged(loads(content))


@examples(25)
@given(st.text(max_size=200))
def test_any_text(content: str) -> None:
    judged(loads(content, links=content))


@examples(25)
@given(TREES, TREES)
def test_any_yaml(tree: Any, links: Any) -> None:
    judged(loads(yaml.safe_dump(tree), links=yaml.safe_dump({"links": links})))


@examples(25)
@given(WORDS, WORDS, TREES)
def test_any_value_in_place_of_a_good_one(old: str, new: str, tree: Any) -> None:
    flow = yaml.safe_dump(tree, default_flow_style=True, width=10_000).removesuffix("...\n").strip()
    judged(loads(FULL.replace(f"{old}:", f"{new}: {flow} #", 1)))
    judged(loads(FULL.replace(old, new)))


@examples(100)
@given(st.sampled_from(TEXTS), st.data())
def test_good_manifests_with_damage(text: str, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 12)))
        text = text[:start] + data.draw(JUNK | st.text(max_size=3)) + text[end:]
    judged(loads(text))


@examples(25)
@given(st.lists(st.sampled_from(FULL.splitlines()), max_size=60))
def test_lines_in_any_order(lines: list[str]) -> None:
    judged(loads("\n".join(lines)))
